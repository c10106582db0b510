import type { Target } from '../../target';
import type { StatedPaths } from '../active-scan-request';
import { pathOf, shapeOf } from '../insertion-point';

/** Equal for addresses that one decision of an admin covers: numbers and ids may differ, words may not. */
const decidedShapeOf = (path: string): string =>
  [
    shapeOf(path),
    ...[...new URLSearchParams(path.slice(pathOf(path).length))]
      .map(([name, value]) => `${name}=${shapeOf(value)}`)
      .sort(),
  ].join(' ');

/** What admins have decided about addresses. */
export class Decisions<Place = Target> {
  /** The shapes of the paths that they name. Each address is compared with these. */
  private readonly shapes = new Map<string, string>();

  constructor(private readonly stated: (place: Place) => StatedPaths) {}

  isForbidden(place: Place, path: string): boolean {
    return this.isNamedIn(this.stated(place).forbidden, path);
  }

  isAllowed(place: Place, path: string): boolean {
    return this.isNamedIn(this.stated(place).allowed, path);
  }

  private isNamedIn(paths: readonly string[], path: string): boolean {
    const shape = paths.length === 0 ? '' : decidedShapeOf(path);
    return paths.some((one) => this.shapeOf(one) === shape);
  }

  private shapeOf(path: string): string {
    const shape = this.shapes.get(path) ?? decidedShapeOf(path);
    this.shapes.set(path, shape);
    return shape;
  }
}
