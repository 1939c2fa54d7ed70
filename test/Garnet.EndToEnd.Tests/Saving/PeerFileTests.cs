// Snapshots across servers: redis-server and Valkey start from our files with equal data, and we from theirs. Sockets in temporary folders.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Saving;

public sealed class PeerFileTests : IDisposable
{
    private const int Keys = 400;

    // The second one is compressed.
    private static readonly string[] Libraries =
    [
        "#!lua name=one\nlocal n = 1\nredis.register_function('first', function() return n end)",
        "#!lua name=two\nlocal text = '"
            + new string('t', 5000)
            + "'\nredis.register_function('second', function(k, a) return #text + #redis.call('get', k[1]) end)",
    ];

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-peer-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [PeerFact("redis-server", Optional = true)]
    public void Redis_starts_from_our_snapshot_and_we_from_its() => RoundTrip("redis-server");

    [PeerFact("valkey-server", Optional = true)]
    public void Valkey_starts_from_our_snapshot_and_we_from_its() => RoundTrip("valkey-server");

    private void RoundTrip(string program)
    {
        string[] written;
        using (var ours = TestServer.Start(options => options.Dir = _folder))
        {
            using RespExchange client = ours.Connect();
            Fill(client);
            written = Read(client);
            Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        }

        using (var peer = PeerServer.Start(program, "--dir", _folder))
        {
            using var client = RespExchange.Connect(peer.EndPoint);
            Assert.Equal(written, Read(client));
            client.ExecuteText("SET", "from", "the peer");
            Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
            written = Read(client);
        }

        using var again = TestServer.Start(options => options.Dir = _folder);
        using RespExchange reader = again.Connect();
        Assert.Equal(written, Read(reader));
        Assert.Equal("$8\r\nthe peer\r\n", reader.ExecuteText("GET", "from"));
    }

    [PeerFact("redis-server", Optional = true)]
    public void Redis_restores_our_functions_and_we_its() => RestoreBothWays("redis-server");

    [PeerFact("valkey-server", Optional = true)]
    public void Valkey_restores_our_functions_and_we_its() => RestoreBothWays("valkey-server");

    private void RestoreBothWays(string program)
    {
        using var ours = TestServer.Start(options => options.Dir = _folder);
        using var peer = PeerServer.Start(program, "--dir", _folder);
        using RespExchange us = ours.Connect();
        using var them = RespExchange.Connect(peer.EndPoint);
        foreach ((RespExchange from, RespExchange to) in new[] { (us, them), (them, us) })
        {
            from.ExecuteText("FUNCTION", "FLUSH");
            foreach (string library in Libraries)
                from.ExecuteText("FUNCTION", "LOAD", library);
            byte[] reply = from.Execute("FUNCTION", "DUMP")!;
            byte[] payload = reply[(reply.IndexOf((byte)'\n') + 1)..^2];
            byte[]? restored = to.Execute(["FUNCTION"u8.ToArray(), "RESTORE"u8.ToArray(), payload, "FLUSH"u8.ToArray()]);
            Assert.Equal("+OK\r\n"u8, restored!);
            Assert.Equal(":1\r\n", to.ExecuteText("FCALL", "first", "0"));
            to.ExecuteText("SET", "large", "12345");
            Assert.Equal(":5005\r\n", to.ExecuteText("FCALL", "second", "1", "large"));
            Assert.Equal(
                from.ExecuteText("FUNCTION", "LIST", "LIBRARYNAME", "two", "WITHCODE"),
                to.ExecuteText("FUNCTION", "LIST", "LIBRARYNAME", "two", "WITHCODE")
            );
        }
    }

    private static void Fill(RespExchange client)
    {
        for (int i = 0; i < Keys; i++)
        {
            string value = (i % 4) switch
            {
                0 => i.ToString("D", null),
                1 => new string('r', i),
                2 => $"{-i * 100_000L}",
                _ => Guid.NewGuid().ToString(),
            };
            client.ExecuteText("SET", "key:" + i, value);
            if (i % 5 == 0)
                client.ExecuteText("PEXPIREAT", "key:" + i, $"{4_000_000_000_000 + i}");
        }

        foreach (string library in Libraries)
            Assert.StartsWith("$", client.ExecuteText("FUNCTION", "LOAD", library), StringComparison.Ordinal);
        client.ExecuteText("SET", "large", new string('x', 200_000));
        client.ExecuteText("SET", "empty", "");
        // Properties that only this server knows are in the file in a form that others skip.
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "sliding", "v", "SLIDING", "600000000", "PXAT", "4000000000000"));
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "sliding:large", new string('y', 100_000), "SLIDING", "600000000"));
    }

    private static string[] Read(RespExchange client) =>
        [
            client.ExecuteText("DBSIZE"),
            client.ExecuteText("FCALL", "first", "0"),
            client.ExecuteText("FCALL", "second", "1", "large", "argument"),
            client.ExecuteText("FUNCTION", "LIST", "LIBRARYNAME", "one", "WITHCODE"),
            client.ExecuteText("GET", "large"),
            client.ExecuteText("GET", "empty"),
            client.ExecuteText("GET", "sliding") + client.ExecuteText("PEXPIRETIME", "sliding"),
            client.ExecuteText("STRLEN", "sliding:large") + client.ExecuteText("PEXPIRETIME", "sliding:large"),
            .. Enumerable.Range(0, Keys).Select(i => client.ExecuteText("GET", "key:" + i) + client.ExecuteText("PEXPIRETIME", "key:" + i)),
        ];
}
