import { Controller, Get, Query } from '@nestjs/common';
import { MentionNames } from '../../modules/findings';
import { displayNameOf, MembersService } from '../../modules/identity';
import { Fragment } from '../frame/page';
import { Person } from '../frame/person';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PaletteQuery } from '../palette/palette.requests';

const MAX_OFFERED = 8;

/** Markdown would take them for its own. */
const HAS_MARKUP = /[\\`*_~[\]<>&!|]|^\P{L}/u;

/** The members that a comment may mention, by what was typed after an `@`. */
@Controller('o/:organization/mentions')
export class MentionsController {
  constructor(private readonly members: MembersService) {}

  @Get()
  async offer(
    @InOrganization() { caller, organizationId }: Place,
    @Query() { q = '' }: PaletteQuery,
  ): Promise<Fragment> {
    caller.requireRole('member', organizationId);
    const members = await this.members.listOfVisible(organizationId);
    const names = new MentionNames(members);
    const typed = q.toLowerCase();
    const offered = members
      .map((member) => ({ ...member, name: displayNameOf(member) }))
      .filter(({ name, email }) => isMeant(name, email, typed))
      .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
      .slice(0, MAX_OFFERED);
    return new Fragment(
      <>
        {offered.map(({ userId, name, email }) => (
          <li
            key={userId}
            role="option"
            id={`mention-${userId}`}
            data-mention={names.isUnique(name) && !HAS_MARKUP.test(name) ? name : email}
          >
            <Person id={userId} name={name} isNamed /> <span class="muted">{email}</span>
          </li>
        ))}
      </>,
    );
  }
}

/** The beginning of a word of the name, or of the address. */
const isMeant = (name: string, email: string, typed: string): boolean =>
  ` ${name.toLowerCase()}`.includes(` ${typed}`) || email.toLowerCase().startsWith(typed);
