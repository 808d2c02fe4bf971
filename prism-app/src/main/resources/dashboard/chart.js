// A hash-rate series as a line, with the point under the pointer in words.

import {el, rate} from './format.js';

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 960, HEIGHT = 240, LEFT = 72, BOTTOM = 22, TOP = 10, RIGHT = 8;

const shape = (name, attributes, ...children) => el(name, {xmlns: SVG, ...attributes}, ...children);

export function chart(points) {
  if (!points.length) return el('p', {class: 'empty'}, 'No shares in this time yet.');
  const times = points.map(point => Date.parse(point.timestamp));
  const values = points.map(point => Number(point.hashrate_ths));
  const first = times[0], span = Math.max(1, times[times.length - 1] - first), top = Math.max(...values) * 1.08 || 1;
  const x = time => LEFT + (WIDTH - LEFT - RIGHT) * (times.length > 1 ? (time - first) / span : 0.5);
  const y = value => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  const svg = shape('svg', {class: 'chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label':
    `Hash rate from ${new Date(first).toLocaleString()}, now ${rate(values[values.length - 1])}`});
  for (let i = 0; i <= 4; i++) {
    const value = top * i / 4;
    svg.append(shape('line', {class: 'grid', x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value)}),
      shape('text', {x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end'}, rate(value)));
  }
  const days = span > 2 * 86400e3;
  for (let i = 0; i <= 4; i++) {
    const time = new Date(first + span * i / 4);
    svg.append(shape('text', {x: x(time.getTime()), y: HEIGHT - 6, 'text-anchor': i === 0 ? 'start' : i === 4 ? 'end' : 'middle'},
      days ? time.toLocaleDateString() : time.toLocaleTimeString()));
    if (times.length === 1) break;
  }
  const line = values.map((value, i) => `${x(times[i]).toFixed(1)},${y(value).toFixed(1)}`);
  svg.append(
    shape('polygon', {class: 'area', points: [`${x(times[0])},${y(0)}`, ...line, `${x(times[times.length - 1])},${y(0)}`].join(' ')}),
    shape('polyline', {class: 'rate', points: line.join(' ')}));
  if (points.length === 1) svg.append(shape('circle', {class: 'rate', cx: x(times[0]), cy: y(values[0]), r: 3}));
  const mark = shape('line', {class: 'mark', y1: TOP, y2: HEIGHT - BOTTOM, visibility: 'hidden'});
  const words = el('p', {class: 'raw'}, points.length === 1 ? 'one point so far' : `${points.length} points; point at the line for one of them`);
  svg.append(mark);
  svg.addEventListener('pointermove', event => {
    const box = svg.getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width * WIDTH;
    let nearest = 0;
    times.forEach((time, i) => { if (Math.abs(x(time) - at) < Math.abs(x(times[nearest]) - at)) nearest = i; });
    mark.setAttribute('x1', x(times[nearest]));
    mark.setAttribute('x2', x(times[nearest]));
    mark.setAttribute('visibility', 'visible');
    words.textContent = `${new Date(times[nearest]).toLocaleString()}: ${rate(values[nearest])}, `
      + `${points[nearest].accepted_share_count} shares`;
  });
  return el('div', {}, svg, words);
}
