// Fills a peer with random data of every type. One thread.
using System.Globalization;
using System.Text;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Interop;

/// <summary>Seeded data of all types and sizes, some with distant expiries; equal seeds give equal data.</summary>
internal sealed class PeerData(Random random, RespExchange peer)
{
    /// <summary>Writes a number of keys, named k0, k1 and so on, into the current database.</summary>
    public void Fill(int keys)
    {
        for (int i = 0; i < keys; i++)
        {
            string key = $"k{i}";
            Create(key, random.Next(9), Pick(1, 3, 10, 140, 600));
            if (random.Next(4) == 0)
                Do("PEXPIREAT", key, "4102444800123");
        }
    }

    private void Create(string key, int type, int elements)
    {
        switch (type)
        {
            case 0:
                Do(["RPUSH", key, .. Elements(elements)]);
                break;
            case 1:
                Do(["SADD", key, .. Elements(elements)]);
                break;
            case 2:
                Do(["SADD", key, .. Enumerable.Range(0, elements).Select(_ => Number())]);
                break;
            case 3:
                Do(["ZADD", key, .. Elements(elements).SelectMany(element => new[] { Score(), element })]);
                break;
            case 4:
                Do(["HSET", key, .. Elements(2 * elements)]);
                break;
            case 5:
                CreateStream(key, Math.Min(elements, 250));
                break;
            case 6:
                Do("SET", key, Number());
                break;
            case 7:
                Do("SETRANGE", key, random.Next(100_000).ToString(CultureInfo.InvariantCulture), Element());
                break;
            default:
                Do("SET", key, Element());
                break;
        }
    }

    private void CreateStream(string key, int entries)
    {
        for (int i = 0; i < entries; i++)
        {
            Do([
                "XADD",
                key,
                $"{1000 + (i / 3)}-{(i % 3) + 1}",
                .. Enumerable.Range(0, Pick(1, 2, 2, 3)).SelectMany(field => new[] { $"f{field}", Element() }),
            ]);
        }

        for (int i = 0; i < entries / 5; i++)
            Do("XDEL", key, $"{1000 + random.Next(entries)}-1");
        for (int group = random.Next(3); group > 0; group--)
        {
            Do("XGROUP", "CREATE", key, $"g{group}", Pick("0", "$", "1001-1"));
            for (int consumer = random.Next(3); consumer > 0; consumer--)
                Do("XREADGROUP", "GROUP", $"g{group}", $"c{consumer}", "COUNT", $"{random.Next(1, 20)}", "STREAMS", key, ">");
        }
    }

    private IEnumerable<string> Elements(int count) => Enumerable.Range(0, count).Select(_ => Element());

    private string Element() =>
        random.Next(5) switch
        {
            0 => random.Next(-5, 300).ToString(CultureInfo.InvariantCulture),
            1 => Number(),
            2 => $"e{random.Next(1000)}",
            3 => new string('x', random.Next(1, 80)),
            _ => new StringBuilder().Insert(0, "long", random.Next(20, 100)).ToString(),
        };

    private string Number() => (random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(63)).ToString(CultureInfo.InvariantCulture);

    private string Score() =>
        random.Next(4) switch
        {
            0 => Pick("inf", "-inf", "0", "1e300"),
            1 => (random.NextDouble() * 1e30).ToString("R", CultureInfo.InvariantCulture),
            2 => random.NextDouble().ToString("R", CultureInfo.InvariantCulture),
            _ => random.Next(-9, 9).ToString(CultureInfo.InvariantCulture),
        };

    private T Pick<T>(params ReadOnlySpan<T> choices) => choices[random.Next(choices.Length)];

    private void Do(params string[] arguments)
    {
        string reply = peer.ExecuteText(arguments);
        if (reply.StartsWith('-'))
            throw new InvalidOperationException($"{arguments[0]} was answered with {reply}");
    }
}
