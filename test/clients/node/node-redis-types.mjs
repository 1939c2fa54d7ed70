// Walks through every data type with node-redis, on RESP2 and RESP3; exits 0 when every reply is as expected. Usage: node-redis-types.mjs HOST PORT
import { createClient } from 'redis';
import { expect, expectError, walk } from './expect.mjs';

const [host, port] = process.argv.slice(2);

async function connect(RESP) {
  const client = createClient({ socket: { host, port: Number(port), reconnectStrategy: false }, RESP });
  client.on('error', (error) => {
    console.error(error);
    process.exit(1);
  });
  await client.connect();
  return client;
}

// Replies come as objects without a prototype; only their content is compared.
const plain = (reply) => JSON.parse(JSON.stringify(reply));

async function gather(iterator) {
  const found = [];
  for await (const page of iterator) found.push(...page);
  return found;
}

function steps(client, blocked) {
  async function untilBlocked() {
    while (!(await client.info('clients')).includes('blocked_clients:1')) await new Promise((resolve) => setTimeout(resolve, 2));
  }

  return [
    async function lists() {
      await client.flushAll();
      expect(await client.rPush('l', ['a', 'b', 'c']), 3, 'rpush');
      expect(await client.lRange('l', 0, -1), ['a', 'b', 'c'], 'lrange');
      expect(await client.lPos('l', 'none'), null, 'lpos of none');
      expect(await client.lMove('l', 'l2', 'LEFT', 'RIGHT'), 'a', 'lmove');
      expect(await client.lmPop(['none', 'l'], 'RIGHT', { COUNT: 2 }), ['l', ['c', 'b']], 'lmpop');
      expect(await client.lPop('l'), null, 'lpop of none');
      expect(await client.lPopCount('l2', 3), ['a'], 'lpop with count');
      await client.rPush('long', Array.from({ length: 10_000 }, (_, i) => `element:${i}`));
      expect(await client.lIndex('long', 5000), 'element:5000', 'lindex in the middle');
      expect((await client.lRange('long', 0, -1)).length, 10_000, 'lrange of all');
      await expectError(() => client.get('long'), 'WRONGTYPE');
    },
    async function blocking() {
      let reply = blocked.blPop(['q', 'q2'], 20);
      await untilBlocked();
      await client.rPush('q2', 'v');
      expect(plain(await reply), { key: 'q2', element: 'v' }, 'blpop');
      reply = blocked.bzPopMin('z', 20);
      await untilBlocked();
      await client.zAdd('z', { score: 1.5, value: 'm' });
      expect(plain(await reply), { key: 'z', value: 'm', score: 1.5 }, 'bzpopmin');
      expect(await blocked.blPop('none', 0.01), null, 'blpop that times out');
      reply = blocked.blMove('q', 'd', 'LEFT', 'RIGHT', 20);
      await untilBlocked();
      await client.multi().rPush('q', 'x').exec();
      expect(await reply, 'x', 'blmove woken by a transaction');
    },
    async function sets() {
      expect(await client.sAdd('s', ['1', '2', 'a']), 3, 'sadd');
      expect((await client.sMembers('s')).sort(), ['1', '2', 'a'], 'smembers');
      expect(await client.smIsMember('s', ['1', 'x']), [1, 0], 'smismember');
      expect(await client.sAdd('t', ['a', 'b']), 2, 'sadd');
      expect(await client.sInter(['s', 't']), ['a'], 'sinter');
      expect(await client.sInterCard(['s', 't']), 1, 'sintercard');
      expect(await client.sDiffStore('d', ['s', 't']), 2, 'sdiffstore');
      expect((await client.sPopCount('d', 9)).sort(), ['1', '2'], 'spop of all');
      await client.sAdd('big', Array.from({ length: 3000 }, (_, i) => `member:${i}`));
      expect(new Set(await gather(client.sScanIterator('big', { COUNT: 100 }))).size, 3000, 'sscan');
    },
    async function hashes() {
      expect(await client.hSet('h', { f: '1', g: 'text' }), 2, 'hset');
      expect(plain(await client.hGetAll('h')), { f: '1', g: 'text' }, 'hgetall');
      expect(await client.hmGet('h', ['f', 'none']), ['1', null], 'hmget');
      expect(await client.hIncrBy('h', 'f', 41), 42, 'hincrby');
      expect(await client.hExpire('h', 'f', 100), [1], 'hexpire');
      expect((await client.hTTL('h', ['f', 'g', 'none'])).slice(1), [-1, -2], 'httl');
      expect(plain(await client.hRandFieldCountWithValues('h', 5)).length, 2, 'hrandfield');
      await client.hSet('wide', Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`field:${i}`, `${i}`])));
      expect((await gather(client.hScanIterator('wide', { COUNT: 100 }))).length, 3000, 'hscan');
    },
    async function sortedSets() {
      expect(await client.zAdd('z', [{ score: 1, value: 'a' }, { score: 2.5, value: 'b' }, { score: Infinity, value: 'c' }]), 3, 'zadd');
      expect(await client.zScore('z', 'c'), Infinity, 'zscore');
      expect(await client.zmScore('z', ['b', 'none']), [2.5, null], 'zmscore');
      expect(plain(await client.zRangeWithScores('z', 0, 1)), [{ value: 'a', score: 1 }, { value: 'b', score: 2.5 }], 'zrange');
      expect(await client.zRange('z', '(2.5', '-inf', { BY: 'SCORE', REV: true }), ['a'], 'zrange by score');
      expect(await client.zRank('z', 'b'), 1, 'zrank');
      expect(await client.zIncrBy('z', 0.25, 'b'), 2.75, 'zincrby');
      expect(plain(await client.zUnionWithScores(['z', 'none']))[0], { value: 'a', score: 1 }, 'zunion');
      expect(plain(await client.zmPop(['none', 'z'], 'MIN')), { key: 'z', members: [{ value: 'a', score: 1 }] }, 'zmpop');
      expect(plain(await client.zPopMaxCount('z', 2)).map((each) => each.value), ['c', 'b'], 'zpopmax');
      await client.zAdd('many', Array.from({ length: 3000 }, (_, i) => ({ score: i, value: `member:${i}` })));
      expect((await gather(client.zScanIterator('many', { COUNT: 100 }))).length, 3000, 'zscan');
    },
    async function streams() {
      expect(await client.xAdd('x', '1-1', { f: '1' }), '1-1', 'xadd');
      expect(await client.xAdd('x', '2-*', { f: '2' }, { TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold: 1000 } }), '2-0', 'xadd with trimming');
      expect(plain(await client.xRange('x', '-', '+', { COUNT: 1 })), [{ id: '1-1', message: { f: '1' } }], 'xrange');
      expect(await client.xGroupCreate('x', 'group', '0'), 'OK', 'xgroup create');
      expect(plain(await client.xReadGroup('group', 'alice', { key: 'x', id: '>' }, { COUNT: 1 })),
        [{ name: 'x', messages: [{ id: '1-1', message: { f: '1' } }] }], 'xreadgroup');
      expect(plain(await client.xPending('x', 'group')).consumers, [{ name: 'alice', deliveriesCounter: 1 }], 'xpending');
      expect(plain(await client.xAutoClaim('x', 'group', 'bob', 0, '0')).messages, [{ id: '1-1', message: { f: '1' } }], 'xautoclaim');
      expect(await client.xAck('x', 'group', '1-1'), 1, 'xack');
      const reply = blocked.xRead({ key: 'x', id: '$' }, { BLOCK: 20_000 });
      await untilBlocked();
      await client.xAdd('x', '3-1', { f: '3' });
      expect(plain(await reply), [{ name: 'x', messages: [{ id: '3-1', message: { f: '3' } }] }], 'xread that waits');
      expect((await client.xInfoStream('x')).length, 3, 'xinfo stream');
      expect(plain(await client.xInfoGroups('x'))[0].name, 'group', 'xinfo groups');
      expect((await client.xInfoConsumers('x', 'group')).length, 2, 'xinfo consumers');
    },
    async function placesAndSorting() {
      const places = [{ longitude: 13.361389, latitude: 38.115556, member: 'Palermo' }, { longitude: 15.087269, latitude: 37.502669, member: 'Catania' }];
      expect(await client.geoAdd('g', places), 2, 'geoadd');
      expect(await client.geoDist('g', 'Palermo', 'Catania', 'km'), 166.2742, 'geodist');
      expect(await client.geoSearch('g', { longitude: 15, latitude: 37 }, { radius: 200, unit: 'km' }, { SORT: 'ASC' }), ['Catania', 'Palermo'], 'geosearch');
      expect((await client.geoPos('g', ['Palermo', 'none']))[1], null, 'geopos');
      await client.rPush('ids', ['3', '1', '2']);
      expect(await client.sort('ids', { DIRECTION: 'DESC' }), ['3', '2', '1'], 'sort');
      expect(await client.sortStore('ids', 'sorted'), 3, 'sort store');
      expect(plain(await client.multi().sAdd('m', 'a').hSet('n', 'f', '1').hGetAll('n').zAdd('o', { score: 1, value: 'a' }).exec()),
        [1, 1, { f: '1' }, 1], 'a transaction over the types');
    },
  ];
}

for (const RESP of [2, 3]) {
  const client = await connect(RESP);
  const blocked = await connect(RESP);
  console.log(`RESP${RESP}`);
  await walk(steps(client, blocked), async () => {
    await client.close();
    await blocked.close();
  });
}
