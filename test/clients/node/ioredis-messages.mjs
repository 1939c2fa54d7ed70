// Publish and subscribe and keyspace notifications with ioredis, on RESP2 and RESP3; exits 0 when all is as expected. Usage: ioredis-messages.mjs HOST PORT
import { Redis } from 'ioredis';
import { expect, expectError, walk } from './expect.mjs';

const [host, port] = process.argv.slice(2);
let protocol = 2;
const connect = (more = {}) => new Redis({ host, port: Number(port), protocol, retryStrategy: () => 20, ...more });
let publisher;

// A queue of what a listener is told.
function queue(client, event) {
  const items = [];
  let wake = () => {};
  client.on(event, (...item) => (items.push(item), wake()));
  return async (count) => {
    while (items.length < count) await new Promise((resolve) => (wake = resolve));
    return items.splice(0, count);
  };
}

async function until(condition) {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 2));
}

async function subscriberMode() {
  const subscriber = connect();
  const messages = queue(subscriber, 'message');
  const matches = queue(subscriber, 'pmessage');
  const shards = queue(subscriber, 'smessage');
  const bytes = queue(subscriber, 'messageBuffer');
  expect(await subscriber.subscribe('a', 'b'), 2, 'subscribe');
  expect(await subscriber.psubscribe('a*', '[b-c]'), 4, 'psubscribe');
  expect(await subscriber.ssubscribe('s'), 1, 'ssubscribe');
  expect(await subscriber.ping(), protocol === 2 ? ['pong', ''] : 'PONG', 'ping of a subscriber');
  if (protocol === 2) await expectError(() => subscriber.get('k'), 'subscriber mode');
  else expect(await subscriber.set('while', 'subscribed'), 'OK', 'a command of a subscriber');
  const binary = Buffer.from([0, 255, 13, 10]);
  expect(await publisher.publish('a', 'one'), 2, 'publish');
  expect(await publisher.publish('b', binary), 2, 'publish of bytes');
  expect(await publisher.publish('c', 'two'), 1, 'publish');
  expect(await publisher.spublish('s', 'three'), 1, 'spublish');
  expect((await messages(2))[0], ['a', 'one'], 'message');
  expect((await bytes(2))[1], [Buffer.from('b'), binary], 'message of bytes');
  expect((await matches(3)).map(([pattern, channel]) => [pattern, channel]), [['a*', 'a'], ['[b-c]', 'b'], ['[b-c]', 'c']], 'pmessage');
  expect(await shards(1), [['s', 'three']], 'smessage');
  const pipeline = publisher.pipeline();
  for (let i = 0; i < 5000; i++) pipeline.publish('b', i);
  await pipeline.exec();
  expect(await messages(5000), Array.from({ length: 5000 }, (_, i) => ['b', `${i}`]), 'messages in order');
  expect(await publisher.pubsub('NUMSUB', 'a', 'none'), ['a', 1, 'none', 0], 'pubsub numsub');
  // First: with the last channel and pattern the client takes itself for an ordinary one.
  expect(await subscriber.sunsubscribe(), 0, 'sunsubscribe of all');
  expect(await subscriber.unsubscribe('a'), 3, 'unsubscribe');
  expect(await subscriber.punsubscribe('a*', '[b-c]'), 1, 'punsubscribe');
  expect(await subscriber.unsubscribe(), 0, 'unsubscribe of all');
  expect(await subscriber.set('k', 'v'), 'OK', 'a command after the last unsubscribe');
  await subscriber.quit();
}

async function subscriptionsComeBack() {
  const subscriber = connect();
  const messages = queue(subscriber, 'message');
  await subscriber.subscribe('news');
  for (let i = 0; i < 3; i++) {
    expect(await publisher.client('KILL', 'TYPE', 'pubsub'), 1, 'client kill');
    await until(async () => (await publisher.publish('news', `again ${i}`)) === 1);
    expect(await messages(1), [['news', `again ${i}`]], 'a message after the connection was killed');
  }
  await subscriber.quit();
}

// ioredis has no cache of its own; applications build one by REDIRECT to a connection on RESP2, as here.
async function invalidationsByRedirect() {
  const listener = connect({ protocol: 2 });
  const invalidated = queue(listener, 'message');
  const reader = connect();
  await listener.subscribe('__redis__:invalidate');
  const id = (await publisher.client('LIST')).split('\n').find((line) => line.includes('sub=1')).match(/id=(\d+)/)[1];
  expect(await reader.client('TRACKING', 'on', 'REDIRECT', id), 'OK', 'client tracking');
  await publisher.set('tracked', 1);
  expect(await reader.get('tracked'), '1', 'get');
  await publisher.set('tracked', 2);
  expect((await invalidated(1))[0][0], '__redis__:invalidate', 'channel of an invalidation');
  await Promise.all([listener.quit(), reader.quit()]);
}

async function notifications() {
  await publisher.config('SET', 'notify-keyspace-events', 'Kg$');
  const subscriber = connect();
  const told = queue(subscriber, 'pmessage');
  await subscriber.psubscribe('__keyspace@0__:*');
  await publisher.multi().set('k', 1).rename('k', 'l').del('l').exec();
  const expected = [['k', 'set'], ['k', 'rename_from'], ['l', 'rename_to'], ['l', 'del']];
  expect((await told(4)).map(([, channel, event]) => [channel.split(':')[1], event]), expected, 'events');
  await publisher.config('SET', 'notify-keyspace-events', '');
  await subscriber.quit();
}

for (protocol of [2, 3]) {
  console.log(`RESP${protocol}`);
  publisher = connect();
  await walk([subscriberMode, subscriptionsComeBack, invalidationsByRedirect, notifications], () => publisher.quit());
}
