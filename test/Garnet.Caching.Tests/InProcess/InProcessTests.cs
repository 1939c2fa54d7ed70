// Commands without a socket, beside the same data over one. Loopback and ports of the system's choice only.
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Garnet.Client;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Caching.Tests.InProcess;

public sealed class InProcessTests(ITestOutputHelper output) : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private readonly ManualTimeProvider _clock = new();
    private readonly List<TestServer> _servers = [];

    public void Dispose()
    {
        foreach (TestServer server in _servers)
            server.Dispose();
    }

    [Fact]
    public void Both_sides_see_the_same_data()
    {
        TestServer server = Start();
        IGarnet garnet = server.Server.InProcess;
        using RespExchange client = server.Connect();
        Assert.True(garnet.Set("k"u8, "v"u8));
        Assert.Equal("$1\r\nv\r\n", client.ExecuteText("GET", "k"));
        client.ExecuteText("APPEND", "k", "w");
        Assert.Equal("vw"u8.ToArray(), garnet.Get("k"u8));
        Assert.Equal("vw", garnet.GetString("k"));
        Assert.True(garnet.Exists("k"u8));
        Assert.True(garnet.Delete("k"u8));
        Assert.False(garnet.Delete("k"u8));
        Assert.False(garnet.Exists("k"u8));
        Assert.Null(garnet.Get("k"u8));
        Assert.Equal("$-1\r\n", client.ExecuteText("GET", "k"));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(5_000)]
    [InlineData(16 * 1024)]
    [InlineData(300_000)]
    public void Values_of_any_length_come_back(int length)
    {
        IGarnet garnet = Start().Server.InProcess;
        byte[] value = new byte[length];
        new Random(length).NextBytes(value);
        garnet.Set("k"u8, value);
        Assert.Equal(value, garnet.Get("k"u8));
        byte[] room = new byte[length + 1];
        Assert.Equal(length, garnet.Get("k"u8, room));
        Assert.Equal(value, room[..length]);
        ArrayBufferWriter<byte> writer = new();
        Assert.True(garnet.TryGet("k"u8, writer));
        Assert.Equal(value, writer.WrittenSpan);
        Assert.False(garnet.TryGet("none"u8, writer));
        Assert.Equal(-1, garnet.Get("none"u8, room));
        if (length > 0)
            Assert.Equal(length, garnet.Get("k"u8, room.AsSpan(0, length - 1)));
    }

    [Theory]
    [InlineData(10)]
    [InlineData(100_000)]
    public void A_reader_sees_one_value_while_others_write_and_may_call_itself(int length)
    {
        IGarnet garnet = Start().Server.InProcess;
        garnet.Set("k"u8, Encoding.ASCII.GetBytes(new string('a', length)));
        bool read = garnet.Read(
            "k"u8,
            garnet,
            (value, inner) =>
            {
                inner.Set("k"u8, Encoding.ASCII.GetBytes(new string('b', length)));
                inner.Execute("SETRANGE", "k", "0", "c");
                Assert.Equal((byte)'c', inner.Get("k"u8)![0]);
                Assert.Equal(length, value.Length);
                Assert.Equal(-1, value.IndexOfAnyExcept((byte)'a'));
            }
        );
        Assert.True(read);
        Assert.False(garnet.Read("none"u8, 0, static (_, _) => Assert.Fail("There is nothing to read.")));
    }

    [Theory]
    [InlineData(16 * 1024)]
    [InlineData(1_000_000)]
    public void A_large_value_is_read_where_it_lies(int length)
    {
        IGarnet garnet = Start().Server.InProcess;
        garnet.Set("k"u8, new byte[length]);
        bool isSame = false;
        // Two copies could not lie at one place at one time.
        garnet.Read(
            "k"u8,
            garnet,
            (outer, same) =>
            {
                nint first = PlaceOf(outer);
                same.Read("k"u8, first, (inner, expected) => isSame = PlaceOf(inner) == expected);
            }
        );
        Assert.True(isSame);

        static nint PlaceOf(ReadOnlySpan<byte> bytes) =>
            Unsafe.ByteOffset(ref Unsafe.NullRef<byte>(), ref MemoryMarshal.GetReference(bytes));
    }

    [Fact]
    public void Expiries_are_those_of_the_commands()
    {
        IGarnet garnet = Start().Server.InProcess;
        garnet.Set("k"u8, "v"u8, new SetOptions { ExpiresAfter = TimeSpan.FromMilliseconds(1500.2) });
        TimeSpan? left = garnet.GetTimeToLive("k"u8);
        Assert.Equal(TimeSpan.FromMilliseconds(1501), left);
        garnet.Set("k"u8, "w"u8, new SetOptions { KeepsExpiry = true });
        _clock.Advance(TimeSpan.FromMilliseconds(1501));
        Assert.True(garnet.Exists("k"u8));
        _clock.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Null(garnet.GetTimeToLive("k"u8));
        garnet.Set("k"u8, "v"u8, new SetOptions { ExpiresAt = _clock.GetUtcNow().AddSeconds(5) });
        Assert.True(garnet.Persist("k"u8));
        Assert.False(garnet.Persist("k"u8));
        left = garnet.GetTimeToLive("k"u8);
        Assert.Equal(Timeout.InfiniteTimeSpan, left);
        Assert.True(garnet.Expire("k"u8, TimeSpan.FromSeconds(1)));
        Assert.True(garnet.ExpireAt("k"u8, _clock.GetUtcNow().AddSeconds(-1)));
        Assert.False(garnet.Expire("k"u8, TimeSpan.FromSeconds(1)));
        Assert.Throws<ArgumentException>(() =>
            garnet.Set("k"u8, "v"u8, new SetOptions { ExpiresAt = _clock.GetUtcNow(), ExpiresAfter = TimeSpan.FromSeconds(1) })
        );
        Assert.Throws<GarnetCommandException>(() => garnet.Set("k"u8, "v"u8, new SetOptions { ExpiresAfter = TimeSpan.Zero }));
    }

    [Fact]
    public void Conditions_are_those_of_the_commands()
    {
        IGarnet garnet = Start().Server.InProcess;
        Assert.False(garnet.Set("k"u8, "v"u8, new SetOptions { Condition = SetCondition.IfExists }));
        Assert.True(garnet.Set("k"u8, "v"u8, new SetOptions { Condition = SetCondition.IfMissing }));
        Assert.False(garnet.Set("k"u8, "w"u8, new SetOptions { Condition = SetCondition.IfMissing }));
        Assert.False(garnet.SetIfEqual("k"u8, "x"u8, "w"u8));
        Assert.True(garnet.SetIfEqual("k"u8, "v"u8, "w"u8));
        Assert.Equal("w", garnet.GetString("k"));
    }

    [Fact]
    public void Numbers_and_hashes_work_and_wrong_types_are_reported()
    {
        IGarnet garnet = Start().Server.InProcess;
        Assert.Equal(1, garnet.Increment("n"u8));
        Assert.Equal(-9, garnet.Increment("n"u8, -10));
        Assert.True(garnet.HashSet("h"u8, "f"u8, "v"u8));
        Assert.False(garnet.HashSet("h"u8, "f"u8, "w"u8));
        Assert.Equal("w"u8.ToArray(), garnet.HashGet("h"u8, "f"u8));
        Assert.Null(garnet.HashGet("h"u8, "g"u8));
        Assert.True(garnet.HashDelete("h"u8, "f"u8));
        garnet.HashSet("h"u8, "f"u8, "v"u8);
        GarnetCommandException error = Assert.Throws<GarnetCommandException>(() => garnet.Get("h"u8));
        Assert.Equal("WRONGTYPE", error.Code);
        Assert.Equal("WRONGTYPE Operation against a key holding the wrong kind of value", error.Message);
    }

    [Fact]
    public void Databases_are_kept_apart()
    {
        TestServer server = Start();
        IGarnet garnet = server.Server.InProcess;
        IGarnet other = garnet.WithDatabase(3);
        other.Set("k"u8, "3"u8);
        Assert.Null(garnet.Get("k"u8));
        Assert.Equal(3, other.Database);
        using RespExchange client = server.Connect();
        client.ExecuteText("SELECT", "3");
        Assert.Equal("$1\r\n3\r\n", client.ExecuteText("GET", "k"));
        Assert.Throws<ArgumentOutOfRangeException>(() => garnet.WithDatabase(16));
    }

    [Fact]
    public void Any_command_can_be_executed()
    {
        IGarnet garnet = Start().Server.InProcess;
        Assert.Equal("PONG", garnet.Execute("PING").Text);
        Assert.Equal(2, garnet.Execute("zadd", "z", "1.5", "a", "2", "b").Integer);
        RespValue members = garnet.Execute("ZRANGE", "z", "0", "-1", "WITHSCORES");
        Assert.Equal(1.5, members[0][1].Double);
        Assert.Equal(RespKind.Map, garnet.Execute("CONFIG", "GET", "maxmemory").Kind);
        garnet.Execute("SET", "bin"u8.ToArray(), new byte[] { 0, 255, 13, 10 });
        Assert.Equal(new byte[] { 0, 255, 13, 10 }, garnet.Get("bin"u8));
        garnet.Execute("SET", "big", new string('x', 50_000));
        Assert.Equal(50_000, garnet.Execute("MGET", "big", "bin")[0].Bytes.Length);
        Assert.Equal("ERR", Assert.Throws<GarnetCommandException>(() => garnet.Execute("NOSUCH", "x")).Code);
        Assert.Throws<GarnetCommandException>(() => garnet.Execute("GET"));
        Assert.Throws<NotSupportedException>(() => garnet.Execute("SELECT", "1"));
        Assert.Throws<NotSupportedException>(() => garnet.Execute("multi"));
    }

    [Fact]
    public async Task Replies_that_are_made_in_pieces_come_whole()
    {
        const int Elements = 400;
        IGarnet garnet = Start().Server.InProcess;
        for (int i = 0; i < Elements; i++)
            garnet.Execute("RPUSH", "l", i.ToString("D4") + new string('x', 10_000));
        foreach (
            RespValue reply in new[] { garnet.Execute("LRANGE", "l", "0", "-1"), await garnet.ExecuteAsync("LRANGE", ["l", "0", "-1"]) }
        )
        {
            Assert.Equal(Elements, reply.Children.Count);
            for (int i = 0; i < Elements; i++)
                Assert.StartsWith(i.ToString("D4") + "x", reply[i].Text, StringComparison.Ordinal);
        }

        Assert.Equal("PONG", garnet.Execute("PING").Text);
    }

    [Fact]
    public async Task A_blocking_command_waits_without_a_thread_and_can_be_cancelled()
    {
        TestServer server = Start();
        IGarnet garnet = server.Server.InProcess;
        ValueTask<RespValue> waiting = garnet.ExecuteAsync("BLPOP", ["l", "0"]);
        Assert.False(waiting.IsCompleted);
        using RespExchange client = server.Connect();
        client.ExecuteText("RPUSH", "l", "x");
        Assert.Equal("x", (await waiting.AsTask().WaitAsync(Patience))[1].Text);
        using CancellationTokenSource stop = new();
        Task<RespValue> cancelled = garnet.ExecuteAsync("BLPOP", ["l", "0"], stop.Token).AsTask();
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.WaitAsync(Patience));
        client.ExecuteText("RPUSH", "l", "y");
        Assert.Equal(1, garnet.Execute("LLEN", "l").Integer);
    }

    [Fact]
    public async Task Asynchronous_calls_give_the_same()
    {
        IGarnet garnet = Start().Server.InProcess;
        byte[] key = "k"u8.ToArray();
        Assert.True(await garnet.SetAsync(key, "v"u8.ToArray()));
        Assert.Equal("v"u8.ToArray(), await garnet.GetAsync(key));
        Assert.True(await garnet.DeleteAsync(key));
        Assert.Null(await garnet.GetAsync(key));
        ArrayBufferWriter<byte> writer = new();
        Assert.False(await garnet.TryGetAsync(key, writer));
        garnet.Set(key, "w"u8);
        Assert.True(await garnet.TryGetAsync(key, writer));
        Assert.Equal("w"u8, writer.WrittenSpan);
        garnet.Delete(key);
        garnet.Execute("RPUSH", "k", "x");
        ValueTask<byte[]?> failing = garnet.GetAsync(key);
        Assert.Equal("WRONGTYPE", (await Assert.ThrowsAsync<GarnetCommandException>(async () => await failing)).Code);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
            await garnet.GetAsync(key, new CancellationToken(canceled: true))
        );
        await Assert.ThrowsAsync<ArgumentException>(async () =>
            await garnet.SetAsync(key, key, new SetOptions { ExpiresAt = DateTimeOffset.UnixEpoch, ExpiresAfter = TimeSpan.FromSeconds(1) })
        );
    }

    [Fact]
    public void A_change_breaks_a_watch()
    {
        TestServer server = Start();
        using RespExchange client = server.Connect();
        client.ExecuteText("WATCH", "k");
        client.ExecuteText("MULTI");
        client.ExecuteText("PING");
        server.Server.InProcess.Set("k"u8, "v"u8);
        Assert.Equal("*-1\r\n", client.ExecuteText("EXEC"));
    }

    [Fact]
    public void Commands_are_counted_and_refused_as_those_of_clients()
    {
        TestServer server = Start();
        IGarnet garnet = server.Server.InProcess;
        garnet.Set("k"u8, "v"u8);
        garnet.Get("k"u8);
        garnet.Get("none"u8);
        using RespExchange client = server.Connect();
        string stats = client.ExecuteText("INFO", "stats")!;
        Assert.Contains("keyspace_hits:1\r\n", stats, StringComparison.Ordinal);
        Assert.Contains("keyspace_misses:1\r\n", stats, StringComparison.Ordinal);
        Assert.Contains("cmdstat_get:calls=2,", client.ExecuteText("INFO", "commandstats"), StringComparison.Ordinal);
        client.ExecuteText("CONFIG", "SET", "maxmemory", "1");
        Assert.Equal("OOM", Assert.Throws<GarnetCommandException>(() => garnet.Set("k"u8, "w"u8)).Code);
        Assert.Equal("v", garnet.GetString("k"));
    }

    [Fact]
    public async Task A_pause_holds_writes_back()
    {
        TestServer server = Start();
        IGarnet garnet = server.Server.InProcess;
        using RespExchange client = server.Connect();
        client.ExecuteText("CLIENT", "PAUSE", "100000", "WRITE");
        ValueTask<bool> waiting = garnet.SetAsync("k"u8.ToArray(), "v"u8.ToArray());
        Assert.False(waiting.IsCompleted);
        Assert.Null(garnet.Get("k"u8));
        client.ExecuteText("CLIENT", "UNPAUSE");
        Assert.True(await waiting.AsTask().WaitAsync(Patience));
        Assert.Equal("v", garnet.GetString("k"));
    }

    [Fact]
    public async Task While_data_is_loading_calls_fail_with_that_reason()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-in-process-").FullName;
        string snapshot = Path.Combine(folder, "dump.rdb");
        using (var saving = TestServer.Start(options => options.Dir = folder))
        {
            saving.Server.InProcess.Set("k"u8, "v"u8);
            saving.Server.InProcess.Execute("SAVE");
        }

        byte[] bytes = await File.ReadAllBytesAsync(snapshot);
        File.Delete(snapshot);
        Assert.Equal(0, ClientProcess.Run("/usr/bin/env", ["mkfifo", snapshot]).ExitCode);
        await using GarnetServer server = new GarnetServerBuilder { Options = new GarnetOptions { Dir = folder } }
            .Listen(new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, 0))
            .Build();
        Task started = server.StartAsync();
        // Opening waits for the reader: bounded, as is everything here.
        await using (
            FileStream pipe = await Task.Run(() =>
                    new FileStream(snapshot, FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0)
                )
                .WaitAsync(Patience)
        )
        {
            Assert.Equal("LOADING", Assert.Throws<GarnetCommandException>(() => server.InProcess.Get("k"u8)).Code);
            Assert.Equal(
                "LOADING",
                (
                    await Assert.ThrowsAsync<GarnetCommandException>(async () =>
                        await server.InProcess.SetAsync("k"u8.ToArray(), "w"u8.ToArray())
                    )
                ).Code
            );
            await pipe.WriteAsync(bytes).AsTask().WaitAsync(Patience);
        }

        await started.WaitAsync(Patience);
        Assert.Equal("v", server.InProcess.GetString("k"));
        await server.StopAsync();
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public async Task Before_the_start_and_after_the_stop_no_client_is_admitted()
    {
        GarnetOptions options = new() { Port = 0 };
        await using GarnetServer server = new GarnetServerBuilder { Options = options }
            .Listen(new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, 0))
            .Build();
        Assert.Throws<InvalidOperationException>(() => server.InProcess.Get("k"u8));
        await server.StartAsync();
        server.InProcess.Set("k"u8, "v"u8);
        Task<RespValue> waiting = server.InProcess.ExecuteAsync("BLPOP", ["l", "0"]).AsTask();
        await server.StopAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(Patience));
        Assert.Throws<InvalidOperationException>(() => server.InProcess.Get("k"u8));
    }

    [Fact]
    public void Many_threads_count_exactly()
    {
        const int Threads = 8,
            Rounds = 3000;
        int seed = TestSeed.ChooseAnew(output);
        IGarnet garnet = Start().Server.InProcess;
        Thread[] threads =
        [
            .. Enumerable
                .Range(0, Threads)
                .Select(id => new Thread(() =>
                {
                    Random random = new(seed + id);
                    for (int i = 0; i < Rounds; i++)
                    {
                        garnet.Increment("n"u8);
                        string key = "k" + random.Next(10);
                        garnet.Set(key, key + "/" + random.Next(1000));
                        if (garnet.GetString("k" + random.Next(10)) is { } text)
                            Assert.StartsWith("k", text, StringComparison.Ordinal);
                    }
                })),
        ];
        foreach (Thread thread in threads)
            thread.Start();
        foreach (Thread thread in threads)
            thread.Join();
        Assert.Equal(Threads * Rounds + 1, garnet.Increment("n"u8));
    }

    [Fact]
    public void Reading_and_writing_allocate_nothing()
    {
        IGarnet garnet = Start().Server.InProcess;
        byte[] key = "some:key"u8.ToArray();
        byte[] value = new byte[100];
        byte[] room = new byte[200];
        SetOptions expiring = new() { ExpiresAfter = TimeSpan.FromSeconds(100) };
        int read = 0;
        for (int i = 0; i < 2000; i++)
            Round();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1000; i++)
            Round();
        // Moving to another processor may make one session more.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 16 * 1024);
        Assert.Equal(3000 * 100, read);

        void Round()
        {
            garnet.Set(key, value);
            garnet.Set(key, value, expiring);
            read += garnet.Get(key, room);
            garnet.Read(key, room, static (bytes, target) => bytes.CopyTo(target));
            garnet.Exists(key);
            garnet.Increment("number"u8);
        }
    }

    private TestServer Start(Action<GarnetOptions>? configure = null)
    {
        var server = TestServer.Start(configure, _clock);
        _servers.Add(server);
        return server;
    }
}
