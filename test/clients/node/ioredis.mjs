// Walks through the command families with ioredis; exits 0 when every reply is as expected. Usage: ioredis.mjs HOST PORT [CERTIFICATE OF THE AUTHORITY, for TLS]
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { expect, expectError, walk } from './expect.mjs';

const [host, port, authority] = process.argv.slice(2);
const server = { host, port: Number(port), maxRetriesPerRequest: 0, ...(authority ? { tls: { ca: readFileSync(authority) } } : {}) };
const redis = new Redis({ ...server, connectionName: 'walker' });
const other = new Redis(server);

async function strings() {
  expect(await redis.flushall(), 'OK', 'flushall');
  expect(await redis.set('s', 'a'), 'OK', 'set');
  expect(await redis.set('s', 'b', 'EX', 100, 'XX', 'GET'), 'a', 'set ex xx get');
  expect((await redis.ttl('s')) > 90, true, 'ttl');
  expect(await redis.mset({ m1: 1, m2: 2 }), 'OK', 'mset');
  expect(await redis.mget('m1', 'm2', 'none'), ['1', '2', null], 'mget');
  expect(await redis.incrby('m1', 41), 42, 'incrby');
  expect(await redis.incrbyfloat('m1', 0.5), '42.5', 'incrbyfloat');
  expect(await redis.getex('s', 'PERSIST'), 'b', 'getex');
  expect(await redis.getdel('s'), 'b', 'getdel');
  const binary = Buffer.from([0, 255, 13, 10, 0]);
  expect(await redis.set('bin', binary), 'OK', 'set of bytes');
  expect(await redis.getBuffer('bin'), binary, 'get of bytes');
  expect(await redis.append('bin', 'x'), 6, 'append');
  await expectError(() => redis.incr('bin'), 'not an integer');
}

async function bitsAndCounts() {
  expect(await redis.setbit('b', 7, 1), 0, 'setbit');
  expect(await redis.bitcount('b'), 1, 'bitcount');
  expect(await redis.bitpos('b', 1), 7, 'bitpos');
  expect(await redis.bitfield('f', 'INCRBY', 'u8', 0, 200, 'OVERFLOW', 'SAT', 'INCRBY', 'u8', 0, 100), [200, 255], 'bitfield');
  expect(await redis.pfadd('h', ...Array.from({ length: 1000 }, (_, i) => `e${i}`)), 1, 'pfadd');
  const estimate = await redis.pfcount('h');
  expect(estimate > 950 && estimate < 1050, true, 'pfcount');
}

async function keys() {
  await redis.flushdb();
  const pipeline = redis.pipeline();
  for (let i = 0; i < 1000; i++) pipeline.set(`key:${i}`, i);
  expect((await pipeline.exec()).length, 1000, 'pipeline');
  const found = new Set();
  for await (const page of redis.scanStream({ match: 'key:*', count: 50 })) for (const key of page) found.add(key);
  expect(found.size, 1000, 'scan');
  expect(await redis.rename('key:0', 'renamed'), 'OK', 'rename');
  expect(await redis.copy('renamed', 'copied'), 1, 'copy');
  expect(await redis.type('copied'), 'string', 'type');
  expect(await redis.expire('copied', 100), 1, 'expire');
  expect(await redis.persist('copied'), 1, 'persist');
  expect(await redis.unlink('copied', 'renamed', 'none'), 2, 'unlink');
  expect(await redis.dbsize(), 999, 'dbsize');
}

async function transactions() {
  expect(await redis.multi().set('t', 1).incr('t').get('t').exec(), [[null, 'OK'], [null, 2], [null, '2']], 'multi/exec');
  await redis.watch('t');
  await other.set('t', 10);
  expect(await redis.multi().set('t', 11).exec(), null, 'exec after a watched key changed');
  expect(await redis.get('t'), '10', 'get after the aborted transaction');
}

async function connection() {
  expect(await redis.ping('hello'), 'hello', 'ping');
  expect(await redis.client('GETNAME'), 'walker', 'client getname');
  expect((await redis.client('LIST')).includes('name=walker'), true, 'client list');
  expect((await redis.info('server')).includes('# Server'), true, 'info');
  expect((await redis.config('GET', 'maxclients'))[0], 'maxclients', 'config get');
  await expectError(() => redis.call('NOSUCHCOMMAND'), 'unknown command');
}

await walk([strings, bitsAndCounts, keys, transactions, connection], async () => {
  await redis.quit();
  await other.quit();
});
