// Publish and subscribe, notifications and the cache in the client of node-redis, on RESP2 and RESP3; exits 0 when all is as expected.
// Usage: node-redis-messages.mjs HOST PORT
import { createClient, BasicClientSideCache } from 'redis';
import { expect, expectError, walk } from './expect.mjs';

const [host, port] = process.argv.slice(2);

async function connect(RESP, more = {}) {
  const client = createClient({ socket: { host, port: Number(port), reconnectStrategy: 20 }, RESP, ...more });
  // A connection that is killed is an error event; what must not happen shows in the replies.
  client.on('error', () => {});
  await client.connect();
  return client;
}

// A queue of what listeners were told.
function queue() {
  const items = [];
  let wake = () => {};
  const add = (...item) => (items.push(item.map(String)), wake());
  const take = async (count) => {
    while (items.length < count) await new Promise((resolve) => (wake = resolve));
    return items.splice(0, count);
  };
  return { add, take };
}

async function until(condition) {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 2));
}

function steps(RESP) {
  return [
    async function channelsAndPatterns() {
      const subscriber = await connect(RESP);
      const publisher = await connect(RESP);
      const told = queue();
      await subscriber.subscribe(['news', 'sport'], (message, channel) => told.add(channel, message));
      await subscriber.pSubscribe('n?ws*', (message, channel) => told.add('pattern', channel, message));
      await subscriber.sSubscribe('shard', (message, channel) => told.add('shard', channel, message));
      expect(await publisher.publish('news', 'a'), 2, 'publish');
      expect(await publisher.publish('sport', 'b'), 1, 'publish');
      expect(await publisher.sPublish('shard', 'c'), 1, 'spublish');
      expect(await told.take(4), [['news', 'a'], ['pattern', 'news', 'a'], ['sport', 'b'], ['shard', 'shard', 'c']], 'what was told');
      expect((await publisher.pubSubChannels()).sort(), ['news', 'sport'], 'pubsub channels');
      expect({ ...(await publisher.pubSubNumSub(['news', 'none'])) }, { news: 1, none: 0 }, 'pubsub numsub');
      expect(await publisher.pubSubNumPat(), 1, 'pubsub numpat');
      if (RESP === 3) expect(await subscriber.set('while', 'subscribed'), 'OK', 'a command of a subscriber');
      else await expectError(() => subscriber.sendCommand(['GET', 'k']), "Can't execute 'get'");
      const replies = Array.from({ length: 1000 }, (_, i) => publisher.publish('sport', `${i}`));
      await Promise.all(replies);
      expect(await told.take(1000), Array.from({ length: 1000 }, (_, i) => ['sport', `${i}`]), 'messages in order');
      await subscriber.unsubscribe();
      await subscriber.pUnsubscribe();
      await subscriber.sUnsubscribe();
      // On RESP2 the client gives this reply as bytes.
      expect(`${await subscriber.set('k', 'v')}`, 'OK', 'a command after the last unsubscribe');
      await Promise.all([subscriber.close(), publisher.close()]);
    },
    async function subscriptionsComeBack() {
      const subscriber = await connect(RESP);
      const publisher = await connect(RESP);
      const told = queue();
      await subscriber.subscribe('news', (message) => told.add(message));
      await subscriber.pSubscribe('p*', (message) => told.add(message));
      expect(await publisher.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub']), 1, 'client kill');
      await until(async () => (await publisher.publish('news', 'again')) === 1);
      await until(async () => (await publisher.publish('pat', 'again')) === 1);
      expect(await told.take(2), [['again'], ['again']], 'messages after the connection was killed');
      await Promise.all([subscriber.close(), publisher.close()]);
    },
    async function notifications() {
      const subscriber = await connect(RESP);
      const writer = await connect(RESP);
      const told = queue();
      await writer.configSet('notify-keyspace-events', 'KEA');
      await subscriber.pSubscribe('__keyevent@0__:*', (key, channel) => told.add(channel.split(':')[1], key));
      await writer.set('k', 'v', { expiration: { type: 'PX', value: 1 } });
      await writer.hSet('h', 'f', '1');
      await until(async () => (await writer.get('k')) === null);
      await writer.del('h');
      const events = await told.take(5);
      expect(events.toSorted(), [['del', 'h'], ['expire', 'k'], ['expired', 'k'], ['hset', 'h'], ['set', 'k']], 'events');
      await writer.configSet('notify-keyspace-events', '');
      await Promise.all([subscriber.close(), writer.close()]);
    },
  ];
}

async function cacheInTheClient() {
  const cache = new BasicClientSideCache({ ttl: 0, maxEntries: 100, evictPolicy: 'LRU', recordStats: true });
  const cached = await connect(3, { clientSideCache: cache });
  const other = await connect(3);
  const calls = async () => Number(/cmdstat_get:calls=(\d+)/.exec(await other.info('commandstats'))?.[1] ?? 0);
  await other.set('k', 'one');
  const before = await calls();
  for (let i = 0; i < 10; i++) expect(await cached.get('k'), 'one', 'get');
  expect((await calls()) - before, 1, 'reads that reached the server');
  await other.set('k', 'two');
  await until(async () => (await cached.get('k')) === 'two');
  const settled = await calls();
  expect(await cached.get('k'), 'two', 'get');
  expect(await calls(), settled, 'reads that reached the server');
  await cached.set('k', 'own');
  expect(await cached.get('k'), 'own', 'get after a write of its own');
  await other.hSet('h', 'f', '1');
  expect(await cached.hGet('h', 'f'), '1', 'hget');
  await other.flushAll();
  await until(async () => (await cached.get('k')) === null && (await cached.hGet('h', 'f')) === null);
  // A lost connection loses the cache with it: a change made meanwhile is seen.
  await other.set('k', 'three');
  await until(async () => (await cached.get('k')) === 'three');
  expect(await other.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']), 1, 'client kill');
  await other.set('k', 'four');
  await until(async () => (await cached.get('k').catch(() => null)) === 'four');
  await Promise.all([cached.close(), other.close()]);
}

for (const RESP of [2, 3]) {
  console.log(`RESP${RESP}`);
  await walk(steps(RESP), async () => {});
}
await walk([cacheInTheClient], async () => {});
