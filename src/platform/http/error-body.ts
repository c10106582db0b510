import { STATUS_CODES } from 'node:http';
import { ApiProperty } from '@nestjs/swagger';

/** The body of all error responses. */
export class ErrorBody {
  @ApiProperty({ type: 'integer', description: 'The HTTP status.' })
  code!: number;

  @ApiProperty({ type: 'string', nullable: true, description: 'The reason phrase of the status.' })
  name!: string | null;

  @ApiProperty({ type: 'string', description: 'The problem and its solution.' })
  description!: string;

  @ApiProperty({ type: 'boolean', enum: [false] })
  success!: false;
}

export const errorBody = (code: number, description: string): ErrorBody => ({
  code,
  name: STATUS_CODES[code] ?? null,
  description,
  success: false,
});
