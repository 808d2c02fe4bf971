// One panel and the document it shows: asked for again and again, with its state always visible.

import {duration} from './format.js';

const feeds = new Set();

export class Feed {
  /**
   * panel: section; url: function that gives the address, or null to show nothing; seconds: between two requests;
   * show: puts a document into the panel; read: how to read an answer, JSON by default; accept: further statuses that carry a document.
   */
  constructor(panel, {url, seconds, show, read = answer => answer.json(), accept = []}) {
    Object.assign(this, {panel, url, seconds, show, read, accept});
    this.state = panel.querySelector('.state');
    this.asked = 0;
    this.receivedAt = 0;
    this.ageAtReceipt = 0;
    this.notBefore = 0;
    this.failure = '';
    feeds.add(this);
    panel.hidden = false;
    this.again();
  }

  /** Another address: what was shown does not fit any more. */
  again() {
    this.receivedAt = 0;
    this.failure = '';
    this.notBefore = 0;
    return this.load();
  }

  async load() {
    const url = this.url();
    const mine = ++this.asked;
    if (url === null) { this.say('', ''); return; }
    if (!this.receivedAt) this.say('loading', 'loading…');
    this.due = Date.now() + this.seconds * 1000;
    try {
      const answer = await fetch(url, {headers: {Accept: 'application/json'}, signal: AbortSignal.timeout(20000)});
      if (answer.status === 429) this.notBefore = Date.now() + 1000 * (Number(answer.headers.get('Retry-After')) || 5);
      if (!answer.ok && !this.accept.includes(answer.status)) throw new Error(await reason(answer));
      const document = await this.read(answer);
      if (mine !== this.asked) return; // another question was asked meanwhile
      this.failure = '';
      this.receivedAt = Date.now();
      this.ageAtReceipt = Number(answer.headers.get('Age')) || 0;
      this.ttl = Number((/max-age=(\d+)/.exec(answer.headers.get('CDN-Cache-Control') || '') || [])[1]) || this.seconds;
      this.show(document);
    } catch (failed) {
      if (mine !== this.asked) return;
      this.failure = failed.name === 'TimeoutError' ? 'no answer in 20 s' : failed.message;
    }
    this.tell();
  }

  tell() {
    const age = this.receivedAt ? this.ageAtReceipt + (Date.now() - this.receivedAt) / 1000 : 0;
    const late = (Date.now() - this.receivedAt) / 1000 > 2 * this.ttl + this.seconds;
    if (this.failure) this.say('error', `${this.failure}${this.receivedAt ? `; shown: ${duration(age)} old` : ''}`);
    else if (this.receivedAt && (this.ageAtReceipt > 2 * this.ttl || late)) this.say('stale', `stale: ${duration(age)} old`);
    else if (this.receivedAt) this.say('ok', `${duration(age)} old`);
  }

  say(state, text) {
    this.state.dataset.state = state;
    if (this.state.textContent !== text) this.state.textContent = text;
  }
}

async function reason(answer) {
  try {
    const body = await answer.json();
    return (body.error && (body.error.message || body.error)) || `status ${answer.status}`;
  } catch {
    return `status ${answer.status}`;
  }
}

setInterval(() => {
  if (document.hidden) return;
  for (const feed of feeds) {
    if (Date.now() >= Math.max(feed.due || 0, feed.notBefore)) feed.load();
    else if (feed.url() !== null) feed.tell();
  }
}, 1000);

/** Buttons of which one is pressed. */
export function choose(buttons, pressed, chosen) {
  const press = button => buttons.forEach(one => one.setAttribute('aria-pressed', String(one === button)));
  buttons.forEach(button => button.addEventListener('click', () => { press(button); chosen(button); }));
  press(buttons.find(pressed));
}

/** Previous and next page below a list. */
export function pager(place, pagination, turn) {
  place.replaceChildren();
  if (pagination.total_pages <= 1) return;
  const button = (text, page) => {
    const one = document.createElement('button');
    one.textContent = text;
    one.disabled = page < 1 || page > pagination.total_pages;
    one.addEventListener('click', () => turn(page));
    return one;
  };
  place.append(button('‹ newer', pagination.page - 1),
    `page ${pagination.page} of ${pagination.total_pages}, ${pagination.total_count} in all`,
    button('older ›', pagination.page + 1));
}
