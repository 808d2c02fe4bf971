// The panels of the pool's page. They use /public/v1 and, on the private listener, /healthz and /metrics.

import {NONE, ago, amount, duration, el, facts, link, percent, rate, short, shortened, table, whole} from './format.js';
import {Feed, choose, pager} from './feed.js';
import {chart} from './chart.js';

const API = '/public/v1';
const MATURITY = 1000; // blocks until a coinbase can be spent
const panel = id => document.getElementById(id);
const body = id => panel(id).querySelector('.body');
const query = parameters => new URLSearchParams(Object.entries(parameters).filter(([, value]) => value)).toString();
let height = 0; // of the chain, from the pool summary
let recipient = ''; // whose panel is open

function recipientButton(id) {
  if (!id) return NONE;
  return el('a', {href: `#miner=${encodeURIComponent(id)}`, title: id}, shortened(id));
}

// ---- pool

new Feed(panel('pool'), {
  url: () => `${API}/pool-summary`, seconds: 30,
  show: ({network, pool}) => {
    height = network.height;
    const set = (name, ...content) => panel('pool').querySelector(`[data-fact=${name}]`).replaceChildren(...content);
    set('h1', rate(pool.hashrate_ths.h1));
    set('h3', rate(pool.hashrate_ths.h3));
    set('h24', rate(pool.hashrate_ths.h24));
    set('eta', duration(pool.expected_time_to_block_seconds));
    set('participants', whole(pool.participants_3h));
    set('blocks', whole(pool.blocks_found_total));
    set('mined', amount(pool.total_mined_bits));
    set('latest', ...(pool.latest_block ? [`${whole(pool.latest_block.height)}, `, ago(pool.latest_block.found_at)] : ['none yet']));
    set('chain', network.name, network.initial_block_download ? ' (downloading)' : '');
    set('height', whole(network.height));
    set('difficulty', el('span', {title: network.network_difficulty}, short(network.network_difficulty)));
    set('peers', whole(network.peers));
    set('tip', network.tip_hash);
    panel('pool-name').textContent = pool.name;
    panel('chain-line').textContent = `${network.name} · block ${whole(network.height)}`;
  },
});

// ---- hash rate

let range = '1m';
let subject = 'pool';
const series = new Feed(panel('chart'), {
  url: () => `${API}/hashrate-series?${query({subject, range})}`, seconds: 30,
  show: document => body('chart').replaceChildren(chart(document.points)),
});
choose([...panel('chart').querySelectorAll('[data-range]')], button => button.dataset.range === range,
  button => { range = button.dataset.range; series.again(); });

// ---- blocks

let blocksPage = 1;
const blocks = new Feed(panel('blocks'), {
  url: () => `${API}/blocks?${query({page: blocksPage})}`, seconds: 5,
  show: ({rows, pagination}) => {
    body('blocks').replaceChildren(table([
      ['Height', row => link(row.explorer_url, whole(row.height))],
      ['Found', row => ago(row.found_at)],
      ['By', row => el('span', {}, recipientButton(row.solver_recipient_id), row.solver_worker_name ? ` ${row.solver_worker_name}` : '')],
      ['Coinbase', row => amount(row.coinbase_value_bits), 'n'],
      ['Maturity', row => maturity(row.height)],
      ['Proof', row => el('span', {},
        link(`${API}/blocks/${row.hash}/settlement-artifacts`, 'settlement'),
        ...(row.audit_bundle_sha256 ? [' · ', link(`${API}/artifacts/${row.audit_bundle_sha256}`, 'bundle')] : []))],
    ], rows, 'No block found yet.'));
    pager(panel('blocks').querySelector('.pager'), pagination, page => { blocksPage = page; blocks.again(); });
  },
});

function maturity(found) {
  if (!height) return NONE;
  const left = found + MATURITY - height;
  return left <= 0 ? 'mature' : `${whole(left)} blocks to go`;
}

// ---- leaderboard

let board = '3h';
let boardPage = 1;
const leaderboard = new Feed(panel('leaderboard'), {
  url: () => `${API}/leaderboard?${query({window: board, page: boardPage})}`, seconds: 5,
  show: ({rows, pagination, window}) => {
    const reward = window.id === 'reward';
    body('leaderboard').replaceChildren(table([
      ['#', row => whole(row.rank), 'n'],
      ['Miner', row => recipientButton(row.recipient_id), 'id'],
      ['Hash rate', row => rate(reward ? row.hashrate_ths : row.hashrate_ths_3h), 'n'],
      ['Share', row => percent(row.share_percent), 'n'],
      ['Blocks', row => whole(reward ? row.blocks_found_total : row.blocks_found), 'n'],
      ['Last share', row => ago(row.last_share_at)],
    ], rows, 'Nobody has sent a share in this window.'));
    pager(panel('leaderboard').querySelector('.pager'), pagination, page => { boardPage = page; leaderboard.again(); });
  },
});
choose([...panel('leaderboard').querySelectorAll('[data-window]')], button => button.dataset.window === board,
  button => { board = button.dataset.window; boardPage = 1; leaderboard.again(); });

// ---- the reward window of the pool

const windowState = el('span', {class: 'state', hidden: ''});
const windowPanel = el('div', {}, windowState);
new Feed(windowPanel, {
  url: () => `${API}/leaderboard?${query({window: 'reward', limit: 1})}`, seconds: 30,
  show: ({window}) => {
    const asked = Number(window.requested_window_weight);
    const part = asked > 0 ? Math.min(100, Number(window.counted_window_weight) / asked * 100) : 0;
    panel('pool').querySelector('[data-fact=window-bar]').style.width = `${part}%`;
    panel('pool').querySelector('[data-fact=window]').textContent =
      `Reward window: ${percent(part)} of ${window.window_multiplier} × the network difficulty, `
      + `${whole(window.included_share_count)} shares`
      + (window.observed_span_seconds === null ? '' : ` of the last ${duration(window.observed_span_seconds)}`);
  },
});

// ---- one miner

const parts = {summary: el('div'), workers: part('Workers'), payouts: part('Payouts'), earnings: part('Earnings')};

function part(title) {
  return el('div', {}, el('div', {class: 'top'}, el('h3', {}, title), el('span', {class: 'state', role: 'status'})),
    el('div', {class: 'body scroll'}), el('div', {class: 'pager'}));
}

body('miner').append(el('p', {class: 'empty'}, 'Enter a payout address to see its hash rate, workers and payouts.'));
const miner = path => recipient ? `${API}/miners/${encodeURIComponent(recipient)}${path}` : null;
const account = new Feed(panel('miner'), {
  url: () => miner(''), seconds: 5,
  show: document => parts.summary.replaceChildren(facts([
    ['Hash rate, 1 minute', rate(document.hashrate_ths.m1)],
    ['10 minutes', rate(document.hashrate_ths.m10)],
    ['3 hours', rate(document.hashrate_ths.h3)],
    ['24 hours', rate(document.hashrate_ths.h24)],
    ['Workers hashing', whole(document.workers_currently_hashing)],
    ['Last share', ago(document.shares.last_share_at)],
    ['Shares, 3 hours', whole(document.shares.accepted_3h)],
    ['Share of the reward window', percent(document.reward_window_percent)],
    ['Owed, not yet paid', amount(document.owed_balance_bits)],
    ['Paid, not yet mature', amount(document.pending_maturity_bits)],
    ['Earned in total', amount(document.lifetime_earnings_bits)],
    ['Smallest payout', amount(document.minimum_payout_bits)],
    ['Next block would bring', document.estimated_next_block.estimated_reward_bits === null
      ? NONE : amount(document.estimated_next_block.estimated_reward_bits)],
  ])),
});
const lists = [
  list(parts.workers, '/workers', {hide_inactive: 'false'}, 30, [
    ['Worker', row => row.worker_name],
    ['State', row => el('span', {class: row.status === 'active' ? 'good' : 'bad'}, row.status)],
    ['1 minute', row => rate(row.hashrate_ths_60s), 'n'],
    ['3 hours', row => rate(row.hashrate_ths_3h), 'n'],
    ['Last share', row => ago(row.last_share_at)],
  ], 'No worker has sent a share in the last 3 hours.'),
  list(parts.payouts, '/payouts', {}, 30, [
    ['Block', row => whole(row.block_height)],
    ['When', row => ago(row.created_at)],
    ['How', row => row.transaction_kind.replaceAll('_', ' ')],
    ['Paid', row => amount(row.onchain_amount_bits), 'n'],
    ['Carried on', row => amount(row.carry_forward_balance_bits), 'n'],
    ['State', row => row.maturity_state],
    ['Transaction', row => link(row.explorer_url, shortened(row.transaction_id))],
  ], 'Nothing has been paid yet.'),
  list(parts.earnings, '/earnings', {}, 30, [
    ['Block', row => link(row.explorer_url, whole(row.block_height))],
    ['Found', row => ago(row.found_at)],
    ['Share', row => percent(row.reward_share_percent), 'n'],
    ['Earned', row => amount(row.gross_earning_bits), 'n'],
    ['Fee', row => amount(row.settlement_fee_bits), 'n'],
    ['Net', row => amount(row.net_earning_bits), 'n'],
    ['State', row => row.maturity_state],
    ['Proof', row => link(row.settlement_artifacts_url, 'settlement')],
  ], 'Nothing has been earned yet.'),
];

function list(place, path, parameters, seconds, columns, nothing) {
  let page = 1;
  const feed = new Feed(place, {
    url: () => miner(`${path}?${query({...parameters, page})}`), seconds,
    show: ({rows, pagination}) => {
      place.querySelector('.body').replaceChildren(table(columns, rows, nothing));
      pager(place.querySelector('.pager'), pagination, next => { page = next; feed.again(); });
    },
  });
  return {again: () => { page = 1; place.querySelector('.body').replaceChildren(); feed.again(); }};
}

function openMiner() {
  const asked = new URLSearchParams(location.hash.slice(1)).get('miner') || '';
  if (asked === recipient) return;
  recipient = asked;
  panel('miner').querySelector('input').value = asked;
  parts.summary.replaceChildren();
  body('miner').replaceChildren(...(asked
    ? [el('p', {}, el('code', {}, asked)), ...Object.values(parts)]
    : [el('p', {class: 'empty'}, 'Enter a payout address to see its hash rate, workers and payouts.')]));
  subject = asked ? `miner:${asked}` : 'pool';
  panel('chart-title').textContent = asked ? 'Hash rate of the miner' : 'Hash rate';
  series.again();
  account.again();
  lists.forEach(one => one.again());
  if (asked) panel('miner').scrollIntoView({behavior: 'smooth'});
}
panel('miner').querySelector('form').addEventListener('submit', event => {
  event.preventDefault();
  const asked = event.target.recipient.value.trim();
  location.hash = asked ? `miner=${encodeURIComponent(asked)}` : '';
});
addEventListener('hashchange', openMiner);
openMiner();

// ---- settlements

let fanoutPage = 1;
const fanouts = new Feed(panel('fanouts'), {
  url: () => `${API}/fanouts/pending?${query({page: fanoutPage})}`, seconds: 5,
  show: ({rows, pagination}) => {
    body('fanouts').replaceChildren(table([
      ['Transaction', row => link(`${API}/fanouts/${row.fanout_txid}`, shortened(row.fanout_txid, 8))],
      ['Block', row => whole(row.block_height), 'n'],
      ['State', row => row.status.replaceAll('_', ' ')],
      ['From height', row => whole(row.broadcastable_at_height), 'n'],
      ['Pays', row => amount(row.fanout_output_sum_bits), 'n'],
    ], rows, 'No settlement transaction is waiting.'));
    pager(panel('fanouts').querySelector('.pager'), pagination, page => { fanoutPage = page; fanouts.again(); });
  },
});

// ---- how to connect

new Feed(panel('configuration'), {
  url: () => `${API}/mining-configuration`, seconds: 300,
  show: document => {
    const active = document.configurations.find(one => one.id === document.active_configuration_id);
    body('configuration').replaceChildren(
      el('p', {}, active.description),
      table([
        ['Endpoint', row => row.label],
        ['URL', row => el('code', {}, row.url)],
        ['', row => copyButton(row.url)],
      ], active.stratum_endpoints, 'No endpoint is announced.'),
      facts([['Pool fee', percent(active.pool_fee_bps / 100)], ['Blocks', active.block_template_policy]]));
  },
});

function copyButton(text) {
  const button = el('button', {onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'copied';
    } catch {
      getSelection().selectAllChildren(button.closest('tr').querySelector('code'));
      button.textContent = 'selected';
    }
    setTimeout(() => { button.textContent = 'copy'; }, 2000);
  }}, 'copy');
  return button;
}

// ---- only on the private listener

const REASONS = {
  tip_poll_stale: 'the node has not been asked for its tip for too long',
  bundle_build_stuck: 'a payout bundle takes too long to build',
  current_generation_not_published: 'the current work is not published',
  refresh_pending_too_long: 'new work has been waiting for too long',
  current_generation_not_delivered: 'miners do not have the current work',
  'initial-delivery-stalled': 'miners wait too long for their first job or for current work',
  'pending-initial-jobs-saturated': 'too many miners wait for their first job',
  'connection-capacity-saturated': 'all connections are taken and miners lack current work',
  'stale-unknown-rejection-storm': 'nearly every share is rejected as stale or unknown',
  'mature-block-off-chain': 'a mature block of the pool is not on the active chain',
  'block-candidate-spooled': 'a found block waits for the database',
};

if (document.documentElement.dataset.private === 'true') {
  new Feed(panel('health'), {
    url: () => '/healthz', seconds: 5, accept: [503],
    show: health => {
      const reasons = [...new Set([...(health.reasons || []), ...(health.unhealthy_reasons || []), ...(health.error ? [health.error] : [])])];
      body('health').replaceChildren(
        el('p', {class: health.ok ? 'good' : 'bad'}, health.ok ? 'healthy' : 'not healthy'),
        ...(reasons.length ? [el('ul', {}, ...reasons.map(id => el('li', {}, REASONS[id] || String(id).replace(/[_-]/g, ' '))))] : []),
        facts([
          ['Last look at the tip', duration(health.tip_poll_age_seconds)],
          ['Waiting refresh', duration(health.pending_refresh_age_seconds)],
          ['Progress of the refresh', duration(health.tip_refresh_progress_age_seconds)],
          ['Last delivery', duration(health.last_valid_delivery_age_seconds)],
          ['Oldest bundle build', duration(health.bundle_build_oldest_age_seconds)],
          ['This picture', duration(health.snapshot_age_seconds)],
          ['Connections', whole(health.active_connections)],
          ['With current work', health.current_tip_job_coverage === undefined ? NONE : percent(health.current_tip_job_coverage * 100)],
          ['Waiting for a first job', whole(health.pending_initial_jobs)],
          ['Jobs in the queue', whole(health.delivery_executor_queue_depth)],
          ['Shares', whole(health.accepted_share_count)],
          ['Ledger', health.ledger_backend || NONE],
        ]));
    },
  });
  new Feed(panel('rejects'), {
    url: () => '/metrics', seconds: 10, read: answer => answer.text(),
    show: text => {
      const rows = [...text.matchAll(/^qbit_prism_rejections_total\{reason_id="([^"]+)"\} (\S+)$/gm)]
        .map(([, id, count]) => ({id, count: Number(count)})).filter(row => row.count > 0).sort((a, b) => b.count - a.count);
      body('rejects').replaceChildren(
        table([['Reason', row => row.id.replaceAll('-', ' ')], ['Shares', row => whole(row.count), 'n']], rows, 'No share has been rejected.'));
    },
  });
}
