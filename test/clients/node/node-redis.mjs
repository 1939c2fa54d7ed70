// Walks through the command families with node-redis, on RESP2 and RESP3; exits 0 when every reply is as expected. Usage: node-redis.mjs HOST PORT
import { createClient, WatchError } from 'redis';
import { expect, expectError, walk } from './expect.mjs';

const [host, port] = process.argv.slice(2);

async function connect(RESP) {
  const client = createClient({ socket: { host, port: Number(port), reconnectStrategy: false }, RESP, name: 'walker' });
  client.on('error', (error) => {
    console.error(error);
    process.exit(1);
  });
  await client.connect();
  return client;
}

function steps(client, other) {
  return [
    async function strings() {
      expect(await client.flushAll(), 'OK', 'flushall');
      expect(await client.set('s', 'a'), 'OK', 'set');
      expect(await client.set('s', 'b', { expiration: { type: 'EX', value: 100 }, condition: 'XX', GET: true }), 'a', 'set ex xx get');
      expect((await client.ttl('s')) > 90, true, 'ttl');
      expect(await client.mSet({ m1: '1', m2: '2' }), 'OK', 'mset');
      expect(await client.mGet(['m1', 'm2', 'none']), ['1', '2', null], 'mget');
      expect(await client.incrBy('m1', 41), 42, 'incrby');
      expect(await client.getEx('s', { type: 'PERSIST' }), 'b', 'getex');
      expect(await client.getDel('s'), 'b', 'getdel');
      expect(await client.append('a', 'xyz'), 3, 'append');
      expect(await client.getRange('a', 1, -1), 'yz', 'getrange');
      await expectError(() => client.incr('a'), 'not an integer');
    },
    async function bitsAndCounts() {
      expect(await client.setBit('b', 7, 1), 0, 'setbit');
      expect(await client.bitCount('b'), 1, 'bitcount');
      expect(await client.bitPos('b', 1), 7, 'bitpos');
      expect(await client.pfAdd('h', ['x', 'y', 'z']), 1, 'pfadd');
      expect(await client.pfCount('h'), 3, 'pfcount');
    },
    async function keys() {
      await client.flushDb();
      await Promise.all(Array.from({ length: 1000 }, (_, i) => client.set(`key:${i}`, `${i}`)));
      const found = new Set();
      for await (const page of client.scanIterator({ MATCH: 'key:*', COUNT: 50 })) for (const key of page) found.add(key);
      expect(found.size, 1000, 'scan');
      expect(await client.copy('key:0', 'copied'), 1, 'copy');
      expect(await client.expire('copied', 100), 1, 'expire');
      expect(await client.persist('copied'), 1, 'persist');
      expect(await client.exists(['copied', 'none']), 1, 'exists');
      expect(await client.dbSize(), 1001, 'dbsize');
    },
    async function transactions() {
      expect(await client.multi().set('t', '1').incr('t').get('t').exec(), ['OK', 2, '2'], 'multi/exec');
      await client.watch('t');
      await other.set('t', '10');
      let aborted = false;
      try {
        await client.multi().set('t', '11').exec();
      } catch (error) {
        aborted = error instanceof WatchError;
      }
      expect(aborted, true, 'exec after a watched key changed');
      expect(await client.get('t'), '10', 'get after the aborted transaction');
    },
    async function connection() {
      expect(await client.ping(), 'PONG', 'ping');
      expect(await client.clientGetName(), 'walker', 'client getname');
      expect((await client.info('server')).includes('# Server'), true, 'info');
      expect(Object.keys(await client.configGet('maxclients')), ['maxclients'], 'config get');
      await expectError(() => client.sendCommand(['NOSUCHCOMMAND']), 'unknown command');
    },
  ];
}

for (const RESP of [2, 3]) {
  const client = await connect(RESP);
  const other = await connect(RESP);
  console.log(`RESP${RESP}`);
  await walk(steps(client, other), async () => {
    await client.close();
    await other.close();
  });
}
