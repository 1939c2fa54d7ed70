// Walks through every data type with ioredis; exits 0 when every reply is as expected. Usage: ioredis-types.mjs HOST PORT
import { Redis } from 'ioredis';
import { expect, expectError, walk } from './expect.mjs';

const [host, port] = process.argv.slice(2);
const redis = new Redis({ host, port: Number(port), maxRetriesPerRequest: 0 });
const blocked = new Redis({ host, port: Number(port), maxRetriesPerRequest: 0 });

// Resolves once a client waits in a blocking command.
async function untilBlocked() {
  while (!(await redis.info('clients')).includes('blocked_clients:1')) await new Promise((resolve) => setTimeout(resolve, 2));
}

async function gather(stream) {
  const found = [];
  for await (const page of stream) found.push(...page);
  return found;
}

async function lists() {
  await redis.flushall();
  expect(await redis.rpush('l', 'a', 'b', 1), 3, 'rpush');
  expect(await redis.lpush('l', Buffer.from([0, 255])), 4, 'lpush of bytes');
  expect(await redis.lpopBuffer('l'), Buffer.from([0, 255]), 'lpop of bytes');
  expect(await redis.lrange('l', 0, -1), ['a', 'b', '1'], 'lrange');
  expect(await redis.linsert('l', 'AFTER', 'a', 'x'), 4, 'linsert');
  expect(await redis.lpos('l', 'b', 'COUNT', 0), [2], 'lpos');
  expect(await redis.lmove('l', 'l2', 'RIGHT', 'LEFT'), '1', 'lmove');
  expect(await redis.lmpop(2, 'none', 'l', 'LEFT', 'COUNT', 2), ['l', ['a', 'x']], 'lmpop');
  expect(await redis.lset('l', 0, 'c'), 'OK', 'lset');
  expect(await redis.lpop('l', 5), ['c'], 'lpop with count');
  await expectError(() => redis.lset('none', 0, 'x'), 'no such key');
  const pipeline = redis.pipeline();
  for (let i = 0; i < 10_000; i++) pipeline.rpush('long', `element:${i}`);
  expect((await pipeline.exec())[9999], [null, 10_000], 'pipeline of rpush');
  expect(await redis.lindex('long', 5000), 'element:5000', 'lindex in the middle');
  expect((await redis.lrange('long', 0, -1)).length, 10_000, 'lrange of all');
}

async function blocking() {
  let reply = blocked.blpop('q', 'q2', 20);
  await untilBlocked();
  await redis.rpush('q2', 'v');
  expect(await reply, ['q2', 'v'], 'blpop');
  reply = blocked.blmove('q', 'd', 'LEFT', 'RIGHT', 20);
  await untilBlocked();
  await redis.multi().rpush('q', 'm').exec();
  expect(await reply, 'm', 'blmove woken by a transaction');
  reply = blocked.bzmpop(20, 1, 'waited', 'MAX');
  await untilBlocked();
  await redis.zadd('waited', 1, 'a', 2, 'b');
  expect(await reply, ['waited', [['b', '2']]], 'bzmpop');
  expect(await blocked.brpop('none', 0.01), null, 'brpop that times out');
  const id = await blocked.client('ID');
  reply = blocked.blmpop(20, 1, 'none', 'LEFT');
  await untilBlocked();
  expect(await redis.client('UNBLOCK', id), 1, 'client unblock');
  expect(await reply, null, 'blmpop that was unblocked');
}

async function sets() {
  expect(await redis.sadd('s', 1, 2, 'a'), 3, 'sadd');
  expect(await redis.smismember('s', 1, 9), [1, 0], 'smismember');
  expect(await redis.sadd('t', 2, 'a', 'b'), 3, 'sadd');
  expect((await redis.sinter('s', 't')).sort(), ['2', 'a'], 'sinter');
  expect(await redis.sintercard(2, 's', 't'), 2, 'sintercard');
  expect(await redis.sunionstore('u', 's', 't'), 4, 'sunionstore');
  expect((await redis.spop('u', 4)).sort(), ['1', '2', 'a', 'b'], 'spop of all');
  expect(await redis.exists('u'), 0, 'exists after spop of all');
  await redis.sadd('big', ...Array.from({ length: 3000 }, (_, i) => `member:${i}`));
  expect(new Set(await gather(redis.sscanStream('big', { count: 100 }))).size, 3000, 'sscan');
}

async function hashes() {
  expect(await redis.hset('h', { f: 1, g: 'text' }), 2, 'hset');
  expect(await redis.hgetall('h'), { f: '1', g: 'text' }, 'hgetall');
  expect(await redis.hmget('h', 'f', 'none'), ['1', null], 'hmget');
  expect(await redis.hincrbyfloat('h', 'f', 0.1), '1.1', 'hincrbyfloat');
  expect(await redis.hpexpire('h', 100_000, 'FIELDS', 1, 'f'), [1], 'hpexpire');
  expect((await redis.hpttl('h', 'FIELDS', 2, 'f', 'g'))[1], -1, 'hpttl');
  expect(await redis.hpersist('h', 'FIELDS', 1, 'f'), [1], 'hpersist');
  expect(await redis.hrandfield('h', 5, 'WITHVALUES').then((reply) => reply.length), 4, 'hrandfield');
  await redis.hset('wide', Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`field:${i}`, i])));
  expect((await gather(redis.hscanStream('wide'))).length, 6000, 'hscan');
}

async function sortedSets() {
  expect(await redis.zadd('z', 1, 'a', 2.5, 'b', '+inf', 'c'), 3, 'zadd');
  expect(await redis.zadd('z', 'GT', 'CH', 3, 'b', 0, 'a'), 1, 'zadd gt ch');
  expect(await redis.zrange('z', 0, -1, 'WITHSCORES'), ['a', '1', 'b', '3', 'c', 'inf'], 'zrange');
  expect(await redis.zrange('z', '(3', '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, 1), ['a'], 'zrange by score');
  expect(await redis.zrank('z', 'b'), 1, 'zrank');
  expect(await redis.zunion(2, 'z', 'none', 'WEIGHTS', 2, 1, 'WITHSCORES'), ['a', '2', 'b', '6', 'c', 'inf'], 'zunion');
  expect(await redis.zpopmax('z', 2), ['c', 'inf', 'b', '3'], 'zpopmax');
  await redis.zadd('many', ...Array.from({ length: 3000 }, (_, i) => [i, `member:${i}`]).flat());
  expect((await gather(redis.zscanStream('many'))).length, 6000, 'zscan');
  expect(await redis.zrangebylex('none', '-', '+'), [], 'zrangebylex of none');
}

async function streams() {
  expect(await redis.xadd('x', '1-1', 'f', '1'), '1-1', 'xadd');
  expect(await redis.xadd('x', 'MAXLEN', '~', 1000, '2-*', 'f', '2'), '2-0', 'xadd with trimming');
  expect(await redis.xrange('x', '-', '+', 'COUNT', 1), [['1-1', ['f', '1']]], 'xrange');
  expect(await redis.xgroup('CREATE', 'x', 'group', 0), 'OK', 'xgroup create');
  expect(await redis.xreadgroup('GROUP', 'group', 'alice', 'COUNT', 1, 'STREAMS', 'x', '>'), [['x', [['1-1', ['f', '1']]]]], 'xreadgroup');
  expect(await redis.xpending('x', 'group'), [1, '1-1', '1-1', [['alice', '1']]], 'xpending');
  expect(await redis.xautoclaim('x', 'group', 'bob', 0, '0'), ['0-0', [['1-1', ['f', '1']]], []], 'xautoclaim');
  expect(await redis.xack('x', 'group', '1-1'), 1, 'xack');
  const reply = blocked.xread('BLOCK', 20_000, 'STREAMS', 'x', '$');
  await untilBlocked();
  await redis.xadd('x', '3-1', 'f', '3');
  expect(await reply, [['x', [['3-1', ['f', '3']]]]], 'xread that waits');
  expect((await redis.xinfo('STREAM', 'x')).slice(0, 2), ['length', 3], 'xinfo stream');
}

async function placesAndSorting() {
  expect(await redis.geoadd('g', 13.361389, 38.115556, 'Palermo', 15.087269, 37.502669, 'Catania'), 2, 'geoadd');
  expect(await redis.geodist('g', 'Palermo', 'Catania', 'km'), '166.2742', 'geodist');
  expect(await redis.geosearch('g', 'FROMLONLAT', 15, 37, 'BYBOX', 400, 400, 'km', 'ASC'), ['Catania', 'Palermo'], 'geosearch');
  expect(await redis.geosearchstore('near', 'g', 'FROMMEMBER', 'Palermo', 'BYRADIUS', 1, 'km'), 1, 'geosearchstore');
  await redis.rpush('ids', 3, 1, 2);
  await redis.mset({ 'name:1': 'one', 'name:2': 'two' });
  expect(await redis.sort('ids', 'GET', 'name:*', 'LIMIT', 0, 3), ['one', 'two', null], 'sort');
  expect(await redis.sort('ids', 'DESC', 'STORE', 'sorted'), 3, 'sort store');
  const dumped = await redis.dumpBuffer('g');
  expect(await redis.restore('g2', 0, dumped), 'OK', 'restore');
  expect(await redis.zcard('g2'), 2, 'zcard of the restored');
}

await walk([lists, blocking, sets, hashes, sortedSets, streams, placesAndSorting], async () => {
  await redis.quit();
  await blocked.quit();
});
