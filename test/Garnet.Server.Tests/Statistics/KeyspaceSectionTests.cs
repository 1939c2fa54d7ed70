// INFO keyspace compared with the actual keys. Each test has its own server, and only tests advance its clock.
using System.Globalization;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Statistics;

public sealed class KeyspaceSectionTests(ITestOutputHelper output) : IDisposable
{
    private const int Databases = 3;
    private static readonly string[] Keys = ["a", "b", "c", "d", "e"];

    // Asked very often: the time to live of every field that a hash of these tests may have.
    private static readonly Dictionary<string, byte[]> FieldTimes = Keys.ToDictionary(
        static key => key,
        static key => InProcessClient.Request(["HTTL", key, "FIELDS", "400", .. Enumerable.Range(0, 400).Select(static i => $"f{i}")])
    );

    private readonly InProcessServer _server = new();

    public void Dispose() => _server.Dispose();

    [Fact]
    public void The_mean_time_to_live_is_that_of_the_keys_that_expire()
    {
        _server.Call("SET", "a", "1", "PX", "1000");
        _server.Call("SET", "b", "1", "PX", "3000");
        _server.Call("SET", "c", "1");
        _server.Call("HSET", "h", "f", "1");
        Assert.Equal("keys=4,expires=2,avg_ttl=2000,keys_with_volatile_items=0", Line(0));
        _server.Clock.Advance(TimeSpan.FromMilliseconds(600));
        Assert.Equal("keys=4,expires=2,avg_ttl=1400,keys_with_volatile_items=0", Line(0));
        _server.Call("HEXPIRE", "h", "100", "FIELDS", "1", "f");
        _server.Call("PERSIST", "a");
        Assert.Equal("keys=4,expires=1,avg_ttl=2400,keys_with_volatile_items=1", Line(0));
        _server.Call("PEXPIREAT", "b", long.MaxValue.ToString(CultureInfo.InvariantCulture));
        _server.Call("HPERSIST", "h", "FIELDS", "1", "f");
        Assert.Equal($"keys=4,expires=1,avg_ttl={(1L << 41) - 600},keys_with_volatile_items=0", Line(0));
        _server.Call("DEL", "b");
        Assert.Equal("keys=3,expires=0,avg_ttl=0,keys_with_volatile_items=0", Line(0));
    }

    [Fact]
    public void The_numbers_stay_correct_in_any_history()
    {
        var random = new Random(TestSeed.Choose(output, 4_711));
        for (int i = 0; i < 6000; i++)
        {
            _server.Call(Next(random));
            if (i % 20 == 19)
                AssertTrue();
        }

        _server.Call("SELECT", "0");
        _server.Clock.Jump(TimeSpan.FromDays(2));
        while (_server.Store.Maintenance.Run()) { }

        for (int database = 0; database < Databases; database++)
        {
            Assert.Equal(0, _server.Store.Databases.ExpiringKeyCount(database));
            Assert.Equal(0, _server.Store.Databases.VolatileHashCount(database));
            Assert.Equal(0, _server.Store.Databases.MeanTimeToLiveMs(database));
        }
    }

    private static string[] Next(Random random)
    {
        string key = Pick(random, Keys),
            other = Pick(random, Keys);
        string field = $"f{random.Next(random.Next(2) == 0 ? 4 : 400)}";
        string seconds = random.Next(1, 100_000).ToString(CultureInfo.InvariantCulture);
        return random.Next(26) switch
        {
            0 => ["SET", key, "1", "EX", seconds],
            1 => ["SET", key, "1"],
            2 => ["DEL", key],
            3 => ["EXPIRE", key, seconds],
            4 => ["PERSIST", key],
            5 => ["RENAME", key, other],
            6 => ["COPY", key, other, "REPLACE"],
            7 => ["MOVE", key, "1"],
            8 => ["SELECT", random.Next(Databases).ToString(CultureInfo.InvariantCulture)],
            9 => random.Next(10) == 0 ? ["FLUSHDB"] : ["SWAPDB", "0", "1"],
            <= 12 => ["HSET", key, .. Enumerable.Range(0, random.Next(1, 200)).SelectMany(i => new[] { $"f{i}", "value" })],
            <= 15 => ["HEXPIRE", key, seconds, "FIELDS", "1", field],
            <= 17 => ["HPERSIST", key, "FIELDS", "1", field],
            <= 19 => ["HSETEX", key, "EX", seconds, "FIELDS", "1", field, "value"],
            20 => ["HSETEX", key, "KEEPTTL", "FIELDS", "1", field, "value"],
            21 => ["HGETEX", key, "PERSIST", "FIELDS", "1", field],
            22 => ["HGETDEL", key, "FIELDS", "1", field],
            23 => ["HDEL", key, .. Enumerable.Range(0, random.Next(1, 200)).Select(i => $"f{i}")],
            24 => ["HEXPIRE", key, "0", "FIELDS", "1", field],
            _ => ["SORT", key, "BY", "nosort", "STORE", other],
        };
    }

    private static string Pick(Random random, string[] from) => from[random.Next(from.Length)];

    private void AssertTrue()
    {
        using InProcessClient client = _server.Connect();
        for (int database = 0; database < Databases; database++)
        {
            client.Call("SELECT", database.ToString(CultureInfo.InvariantCulture));
            int keys = 0,
                expires = 0,
                hashes = 0;
            long left = 0;
            foreach (string key in Keys.Where(key => client.Call("EXISTS", key) == ":1\r\n"))
            {
                keys++;
                long ttl = long.Parse(client.Call("PTTL", key)[1..], CultureInfo.InvariantCulture);
                expires += ttl >= 0 ? 1 : 0;
                left += Math.Max(ttl, 0);
                hashes += HasVolatileField(client, key) ? 1 : 0;
            }

            string? expected =
                keys == 0
                    ? null
                    : $"keys={keys},expires={expires},avg_ttl={(expires == 0 ? 0 : left / expires)},keys_with_volatile_items={hashes}";
            Assert.Equal(expected, Line(database));
        }
    }

    private static bool HasVolatileField(InProcessClient client, string key)
    {
        if (client.Call("TYPE", key) != "+hash\r\n")
            return false;
        client.Send(FieldTimes[key]);
        return client.Receive().Split("\r\n").Skip(1).Any(reply => reply.StartsWith(':') && reply[1] != '-');
    }

    private string? Line(int database) =>
        _server
            .Call("INFO", "keyspace")
            .Split("\r\n")
            .FirstOrDefault(line => line.StartsWith($"db{database}:", StringComparison.Ordinal))
            ?.Split(':')[1];
}
