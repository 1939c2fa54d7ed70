// Two socket.io servers that reach each other's clients by @socket.io/redis-adapter; exits 0 when every message arrives as expected, on
// connections of node-redis and of ioredis. Usage: socketio.mjs HOST PORT
import { createServer } from 'node:http';
import { createAdapter, createShardedAdapter } from '@socket.io/redis-adapter';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import { expect, walk } from './expect.mjs';

const [host, port] = process.argv.slice(2);
const clientsOfHost = 10;
const messages = 50;

const adapters = {
  'node-redis': async (close) => createAdapter(...(await pair(close)), { requestsTimeout: 2_000 }),
  'node-redis, sharded channels': async (close) => createShardedAdapter(...(await pair(close))),
  ioredis: async (close) => {
    const clients = [0, 1].map(() => new Redis({ host, port: Number(port), maxRetriesPerRequest: 0 }));
    close.push(...clients.map((client) => () => client.quit()));
    return createAdapter(...clients, { requestsTimeout: 2_000 });
  },
};

async function pair(close) {
  const publisher = createClient({ socket: { host, port: Number(port) }, RESP: 2 });
  const subscriber = publisher.duplicate();
  await Promise.all([publisher.connect(), subscriber.connect()]);
  close.push(() => publisher.close(), () => subscriber.close());
  return [publisher, subscriber];
}

async function startHost(adapter, close) {
  const server = new Server(createServer(), { adapter });
  server.on('connection', (socket) => socket.on('join', async (room, done) => done(await socket.join(room))));
  await new Promise((resolve) => server.httpServer.listen(0, '127.0.0.1', resolve));
  close.push(() => server.close());
  return server;
}

async function connect(server, number, close) {
  const socket = io(`http://127.0.0.1:${server.httpServer.address().port}`, { transports: ['websocket'], forceNew: true });
  const client = { socket, room: `room${number % 3}`, received: [] };
  socket.on('text', (text) => {
    client.received.push(text);
    client.arrived?.();
  });
  socket.on('question', (text, answer) => answer(`${text} ${number}`));
  close.push(() => socket.disconnect());
  await new Promise((resolve) => socket.on('connect', resolve));
  await socket.emitWithAck('join', client.room);
  return client;
}

async function received(client, count) {
  while (client.received.length < count) await new Promise((resolve) => (client.arrived = resolve));
}

// A server answers the others' requests once its subscription is there; a request from before that times out, and is repeated.
async function untilAllAreSeen(server, count) {
  while (true) {
    const seen = await server.fetchSockets().catch(() => []);
    if (seen.length === count) return seen;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const steps = Object.entries(adapters).map(([name, open]) => ({
  [name]: async () => {
    const close = [];
    const servers = [await startHost(await open(close), close), await startHost(await open(close), close)];
    const clients = await Promise.all(Array.from({ length: 2 * clientsOfHost }, (_, i) => connect(servers[i % 2], i, close)));
    const all = await untilAllAreSeen(servers[0], clients.length);
    await untilAllAreSeen(servers[1], clients.length);
    expect(new Set(all.map((each) => each.id)), new Set(clients.map((each) => each.socket.id)), 'the sockets of both hosts');
    expect((await servers[1].in('room1').fetchSockets()).length, clients.filter((each) => each.room === 'room1').length, 'the sockets of a room');
    for (let i = 0; i < messages; i++) {
      servers[0].emit('text', `all ${i}`);
      servers[0].to('room2').emit('text', `room2 ${i}`);
    }
    for (const client of clients) {
      const expected = [];
      for (let i = 0; i < messages; i++) expected.push(`all ${i}`, ...(client.room === 'room2' ? [`room2 ${i}`] : []));
      await received(client, expected.length);
      if (name.includes('sharded')) {
        // A room has a channel of its own here, and the order between channels is not promised.
        expect(client.received.toSorted(), expected.toSorted(), 'what a client received');
      } else {
        expect(client.received, expected, 'what a client received');
      }
    }
    const answers = await servers[1].timeout(20_000).to('room0').emitWithAck('question', 'who');
    expect(answers.length, clients.filter((each) => each.room === 'room0').length, 'answers to a question to a room');
    const ended = Promise.all(clients.map((each) => each.room === 'room1' && new Promise((resolve) => each.socket.on('disconnect', resolve))));
    servers[0].in('room1').disconnectSockets(true);
    await ended;
    for (const step of close.reverse()) await step();
  },
}[name]));

await walk(steps, async () => {});
// The timer of socket.io's answered question would keep the process alive until it fires.
process.exit();
