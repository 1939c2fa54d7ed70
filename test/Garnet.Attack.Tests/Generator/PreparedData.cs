// Large keys of every type, the same on each server. Stateless; any thread.
using System.Globalization;
using Garnet.Client;

namespace Garnet.Attack.Tests.Generator;

/// <summary>What the generated requests work on: one key a type of a hundred thousand elements, and values of megabytes.</summary>
internal static class PreparedData
{
    private const int Elements = 100_000;
    private const int ElementsPerCommand = 500;
    private const int LargeBytes = 10_000_000;

    /// <summary>Keys by the group of commands that they are for.</summary>
    public static readonly IReadOnlyDictionary<string, string[]> Keys = new Dictionary<string, string[]>
    {
        ["string"] = ["str:large", "str:large2", "str:small"],
        ["bitmap"] = ["str:large", "str:large2"],
        ["hyperloglog"] = ["hll", "hll2"],
        ["list"] = ["list", "list:wide"],
        ["set"] = ["set", "set:int", "set2"],
        ["hash"] = ["hash", "hash:wide"],
        ["sorted-set"] = ["zset", "zset2", "geo"],
        ["geo"] = ["geo"],
        ["stream"] = ["stream"],
        ["generic"] = ["str:large", "list", "set", "hash", "zset", "stream", "set:int", "list:wide"],
    };

    /// <summary>Elements that are there, in each type's own form.</summary>
    public static string Element(int index) => "element:" + index.ToString(CultureInfo.InvariantCulture);

    /// <summary>Fills a server.</summary>
    public static async Task FillAsync(RespClient client)
    {
        int sent = 0;
        foreach (string[] request in Requests())
        {
            client.Append(request);
            sent++;
        }

        await client.FlushAsync();
        for (int i = 0; i < sent; i++)
        {
            RespValue reply = await client.ReadAsync();
            if (reply.IsError)
                throw new InvalidOperationException(reply.Text);
        }
    }

    private static IEnumerable<string[]> Requests()
    {
        yield return ["SET", "str:large", new string('a', LargeBytes)];
        yield return ["SET", "str:large2", new string('b', LargeBytes)];
        yield return ["SET", "str:small", "1234"];
        yield return ["XGROUP", "CREATE", "stream", "group", "0", "MKSTREAM"];
        string wide = new('w', 20_000);
        for (int from = 0; from < Elements; from += ElementsPerCommand)
        {
            int[] indexes = [.. Enumerable.Range(from, ElementsPerCommand)];
            yield return ["RPUSH", "list", .. indexes.Select(Element)];
            yield return ["SADD", "set", .. indexes.Select(Element)];
            yield return ["SADD", "set2", .. indexes.Select(static index => Element(index * 2))];
            yield return ["SADD", "set:int", .. indexes.Select(static index => (index * 7L).ToString(CultureInfo.InvariantCulture))];
            yield return ["HSET", "hash", .. indexes.SelectMany(static index => new[] { Element(index), "value:" + index })];
            yield return
            [
                "ZADD",
                "zset",
                .. indexes.SelectMany(static index => new[] { (index % 1000).ToString(CultureInfo.InvariantCulture), Element(index) }),
            ];
            yield return
            [
                "ZADD",
                "zset2",
                .. indexes.SelectMany(static index => new[] { index.ToString(CultureInfo.InvariantCulture), Element(index * 2) }),
            ];
            yield return
            [
                "GEOADD",
                "geo",
                .. indexes.SelectMany(static index => new[] { Degrees(index % 360 - 180), Degrees(index % 170 - 85), Element(index) }),
            ];
            yield return ["PFADD", "hll", .. indexes.Select(Element)];
            yield return ["PFADD", "hll2", .. indexes.Select(static index => Element(index * 3))];
            foreach (int index in indexes.Where(static index => index % 100 == 0))
            {
                yield return ["RPUSH", "list:wide", wide + index];
                yield return ["HSET", "hash:wide", Element(index), wide];
            }

            foreach (int index in indexes.Where(static index => index % 4 == 0))
                yield return ["XADD", "stream", (index + 1).ToString(CultureInfo.InvariantCulture) + "-1", "field", "value:" + index];
        }

        yield return ["XREADGROUP", "GROUP", "group", "consumer", "COUNT", "10000", "STREAMS", "stream", ">"];
    }

    private static string Degrees(double value) => value.ToString("0.0", CultureInfo.InvariantCulture);
}
