/** Points in small steps along the lines of a plot, by the square in which they lie: words look for room among thousands. */

/** @typedef {{x: number, y: number, width: number, height: number}} Box in pixels */
/** @typedef {(line: number) => boolean} Which lines are meant, by their number */

const NEAR = 5; // pixels between samples along a line
const MOST = 4000; // pixels between two points of a line
const SIDE = 36; // pixels, of a square
const ROW = 1000; // squares: more than a plot is high

/** Points in pixels, as far as they are inside; where a number is missing there is a gap. @param {readonly XY[]} points @param {Sides} sides @returns {XY[]} */
function along(points, { x, y, left, right, top, bottom }) {
  const places = /** @type {XY[]} */ ([]);
  let [px, py] = [NaN, NaN]; // the last one that was taken
  for (const [a, b] of points) {
    const [to, up] = [x(a), y(b)];
    const [from, down] = [px, py];
    const length = Math.min(MOST, Math.hypot(to - from, up - down));
    if (length < NEAR) continue; // so dense are they already
    const steps = Number.isNaN(length) ? 1 : Math.floor(length / NEAR);
    for (let step = 1; step <= steps; step += 1) {
      [px, py] = step === steps ? [to, up] : [from + (to - from) * step / steps, down + (up - down) * step / steps];
      if (px >= left && px <= right && py >= top && py <= bottom) places.push([px, py]);
    }
  }
  return places;
}

/** @param {readonly (readonly XY[])[]} lines in the units of the axes @param {Sides} sides */
export function samples(lines, sides) {
  const drawn = lines.map((points) => along(points, sides));
  /** @type {Map<number, {x: number, y: number, line: number}[]>} */
  const squares = new Map();
  drawn.forEach((places, line) => places.forEach(([x, y]) => {
    const square = Math.floor(x / SIDE) * ROW + Math.floor(y / SIDE);
    const inside = squares.get(square);
    if (inside) inside.push({ x, y, line });
    else squares.set(square, [{ x, y, line }]);
  }));

  /** @param {Box} box @param {number} room pixels around it @param {Which} which @param {(x: number, y: number) => void} take */
  function within(box, room, which, take) {
    const [left, right, top, bottom] = [box.x - room, box.x + box.width + room, box.y - room, box.y + box.height + room];
    for (let column = Math.floor(left / SIDE); column <= right / SIDE; column += 1) {
      for (let row = Math.floor(top / SIDE); row <= bottom / SIDE; row += 1) {
        for (const { x, y, line } of squares.get(column * ROW + row) ?? []) {
          if (x > left && x < right && y > top && y < bottom && which(line)) take(x, y);
        }
      }
    }
  }

  return {
    drawn,

    /** How many points are under a box, or so near to it. @param {Box} box @param {number} room @param {Which} which */
    covered(box, room, which) {
      let count = 0;
      within(box, room, which, () => { count += 1; });
      return count;
    },

    /** How far the nearest point is, or `most` if none is nearer. @param {XY} from @param {number} most @param {Which} which */
    nearest([x, y], most, which) {
      let least = most * most;
      within({ x, y, width: 0, height: 0 }, most, which, (a, b) => { least = Math.min(least, (a - x) ** 2 + (b - y) ** 2); });
      return Math.sqrt(least);
    },
  };
}
