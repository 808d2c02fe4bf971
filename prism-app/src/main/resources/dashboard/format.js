// Numbers, times and elements. Everything that comes from the API is put into the page as text, never as markup.

const RATES = ['mH/s', 'H/s', 'kH/s', 'MH/s', 'GH/s', 'TH/s', 'PH/s', 'EH/s', 'ZH/s', 'YH/s'];
const SI = ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];
export const NONE = '–';

function digits(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** A hash rate that the API gives as decimal text in TH/s. */
export function rate(ths) {
  if (ths === null || ths === undefined) return NONE;
  let value = Number(ths);
  if (!(value > 0)) return '0 H/s';
  let unit = RATES.indexOf('TH/s');
  while (value >= 1000 && unit < RATES.length - 1) { value /= 1000; unit++; }
  while (value < 1 && unit > 0) { value *= 1000; unit--; }
  return `${digits(value)} ${RATES[unit]}`;
}

/** A large count such as a difficulty, shortened. */
export function short(text) {
  if (text === null || text === undefined) return NONE;
  let value = Number(text);
  let unit = 0;
  while (value >= 1000 && unit < SI.length - 1) { value /= 1000; unit++; }
  return unit === 0 ? String(text) : `${digits(value)} ${SI[unit]}`;
}

/** Bits as coins with eight decimals. */
export function coins(bits) {
  if (bits === null || bits === undefined) return NONE;
  const text = String(bits).padStart(9, '0');
  return `${whole(text.slice(0, -8))}.${text.slice(-8)}`;
}

export function whole(count) {
  return count === null || count === undefined ? NONE : String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

export function percent(text) {
  return text === null || text === undefined ? NONE : `${Number(text).toFixed(2)} %`;
}

export function duration(seconds) {
  if (seconds === null || seconds === undefined) return NONE;
  const s = Math.max(0, Math.round(Number(seconds)));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60 ? `${s % 60} s` : ''}`.trim();
  if (s < 86400) return `${Math.floor(s / 3600)} h ${Math.floor(s % 3600 / 60)} min`;
  return `${Math.floor(s / 86400)} d ${Math.floor(s % 86400 / 3600)} h`;
}

export function shortened(text, keep = 10) {
  return text && text.length > 2 * keep + 1 ? `${text.slice(0, keep)}…${text.slice(-keep)}` : text || NONE;
}

export function el(name, attributes = {}, ...children) {
  const element = document.createElementNS(attributes.xmlns || 'http://www.w3.org/1999/xhtml', name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'xmlns') continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  element.append(...children.map(child => child instanceof Node ? child : document.createTextNode(String(child))));
  return element;
}

/** A time: how long ago, with the exact time as tooltip. */
export function ago(timestamp) {
  if (!timestamp) return document.createTextNode(NONE);
  const seconds = (Date.now() - Date.parse(timestamp)) / 1000;
  return el('time', {datetime: timestamp, title: new Date(timestamp).toLocaleString()},
    seconds < 0 ? 'now' : `${duration(seconds)} ago`);
}

/** An amount: coins, with the bits themselves behind. */
export function amount(bits) {
  return el('span', {title: `${whole(bits)} bits`}, coins(bits), ' ', el('span', {class: 'raw'}, `${whole(bits)} bits`));
}

/** A link, if the target is one of this site or of the web; else only the text. */
export function link(target, text) {
  if (!target || !/^(https?:\/\/|\/(?!\/))/.test(target)) return document.createTextNode(text);
  return el('a', {href: target, rel: 'noopener noreferrer', target: '_blank'}, text);
}

/** A table; a column is [title, cell of a row, class]. */
export function table(columns, rows, nothing) {
  if (!rows.length) return el('p', {class: 'empty'}, nothing);
  return el('table', {},
    el('thead', {}, el('tr', {}, ...columns.map(([title, , kind]) => el('th', {scope: 'col', class: kind || ''}, title)))),
    el('tbody', {}, ...rows.map(row =>
      el('tr', {}, ...columns.map(([, cell, kind]) => el('td', {class: kind || ''}, cell(row)))))));
}

/** A list of facts; each is [title, value]. */
export function facts(list) {
  return el('dl', {class: 'facts'}, ...list.map(([title, value]) => el('div', {}, el('dt', {}, title), el('dd', {}, value))));
}
