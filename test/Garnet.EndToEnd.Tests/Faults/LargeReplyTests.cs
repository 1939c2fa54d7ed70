// Replies with a whole large collection: written in pieces, from the collection as of the command. Each test has its own process.
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed class LargeReplyTests
{
    private const int Elements = 200_000;
    private const int ElementsAtOnce = 1000;
    private const long Megabyte = 1 << 20;

    // The command that adds an element, the query, the command that changes the key meanwhile, and the form of the reply.
    public static TheoryData<string, string, string, string> Questions =>
        new()
        {
            { "RPUSH k {0}", "LRANGE k 1 -2", "LTRIM k 5 10", "*199998" },
            { "SADD k {0}", "SMEMBERS k", "SREM k e7 e199999", "*200000" },
            { "SADD k {0}", "SUNION k missing", "SREM k e7 e199999", "*200000" },
            { "SADD k {0}", "SINTER k k", "DEL k", "*200000" },
            { "SADD k {0}", "SDIFF k missing", "SADD k other", "*200000" },
            { "RPUSH k {0}", "SORT k ALPHA DESC", "DEL k", "*200000" },
            { "SADD k {0}", "SORT_RO k ALPHA GET # GET missing:*", "FLUSHALL", "*400000" },
            { "HSET k {0} value:{0}", "HGETALL k", "HDEL k e7 e199999", "*400000" },
            { "HSET k {0} value:{0}", "HKEYS k", "DEL k", "*200000" },
            { "HSET k {0} value:{0}", "HVALS k", "FLUSHALL", "*200000" },
            { "ZADD k {1} {0}", "ZRANGE k 1 -2 WITHSCORES", "ZREMRANGEBYRANK k 0 199000", "*399996" },
            { "ZADD k {1} {0}", "ZRANGE k 0 -1 REV", "ZADD k 0 e199999", "*200000" },
            { "XADD k {1}-1 f {0}", "XRANGE k - +", "XTRIM k MAXLEN 5", "*200000" },
            { "XADD k {1}-1 f {0}", "XREVRANGE k + 2-1 COUNT 199990", "DEL k", "*199990" },
        };

    [Theory]
    [MemberData(nameof(Questions))]
    public void A_large_reply_shows_the_collection_as_it_was(string fill, string question, string change, string head)
    {
        using var target = new FaultTarget("epoll");
        using RespExchange writer = target.Connect();
        Fill(writer, fill);
        string expected = writer.ExecuteText(question.Split(' '));
        Assert.StartsWith(head + "\r\n", expected, StringComparison.Ordinal);
        Assert.True(expected.Length > 2 * Megabyte);
        using RespExchange reader = target.Connect();
        reader.Send(RespExchange.Encode([.. question.Split(' ').Select(Encoding.ASCII.GetBytes)]));
        string name = question[..question.IndexOf(' ', StringComparison.Ordinal)].ToLowerInvariant();
        FaultTarget.Await(() => IsAsked(writer, name), () => "The command must have come.");
        Assert.NotEqual('-', writer.ExecuteText(change.Split(' '))[0]);
        Assert.Equal("$1\r\nv\r\n", SetAndGet(writer));
        Assert.Equal(expected, Encoding.ASCII.GetString(reader.ReadReply()!));
        Assert.Equal("+PONG\r\n", reader.ExecuteText("PING"));
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public async Task Concurrent_large_replies_take_no_additional_memory(string transport)
    {
        using var target = new FaultTarget(transport);
        using RespExchange writer = target.Connect();
        Fill(writer, "RPUSH k {0}" + new string('x', 200));
        int length = writer.ExecuteText("LRANGE", "k", "0", "-1").Length;
        Assert.True(length > 40 * Megabyte);
        long before = target.ResidentBytes;
        Task<long>[] readers = [.. Enumerable.Range(0, 8).Select(_ => Task.Run(() => Read(target, length)))];
        Task all = Task.WhenAll(readers);
        long most = before;
        while (await Task.WhenAny(all, Task.Delay(5)) != all)
            most = Math.Max(most, target.ResidentBytes);
        await all;
        // Eight replies of more than 40 MB.
        Assert.True(most - before < 160 * Megabyte, $"{(most - before) / Megabyte} MB more than before");
        target.AssertEndsWell();
    }

    [Fact]
    public void A_pipeline_after_large_replies_is_answered_although_nothing_is_read_meanwhile()
    {
        const int Behind = 100_000;
        using var target = new FaultTarget("epoll");
        using RespExchange writer = target.Connect();
        Fill(writer, "RPUSH k {0}");
        writer.ExecuteText("SET", "s", new string('v', 100));
        long expected = (2L * writer.ExecuteText("LRANGE", "k", "0", "-1").Length) + (Behind * "$100\r\n\r\n".Length) + (Behind * 100);
        using Socket client = target.ConnectSocket();
        byte[] pipeline = [.. FaultTarget.Pipeline(2, "LRANGE", "k", "0", "-1"), .. FaultTarget.Pipeline(Behind, "GET", "s")];
        for (int sent = 0; sent < pipeline.Length; )
            sent += client.Send(pipeline.AsSpan(sent));
        byte[] buffer = new byte[Megabyte];
        while (expected > 0)
        {
            int received = client.Receive(buffer);
            Assert.NotEqual(0, received);
            expected -= received;
        }

        Assert.Equal(0, expected);
        Assert.Equal("+PONG\r\n", writer.ExecuteText("PING"));
        target.AssertEndsWell();
    }

    [Fact]
    public void A_client_that_disconnects_during_a_large_reply_leaves_nothing_behind()
    {
        using var target = new FaultTarget("epoll");
        using RespExchange writer = target.Connect();
        Fill(writer, "SADD k {0}");
        long before = target.Info("used_memory");
        for (int i = 0; i < 10; i++)
        {
            using (RespExchange reader = target.Connect())
            {
                reader.Send(RespExchange.Encode(["SMEMBERS"u8.ToArray(), "k"u8.ToArray()]));
                FaultTarget.Await(() => IsAsked(writer, "smembers"), () => "The command must have come.");
            }

            FaultTarget.Await(() => target.Info("connected_clients") == 2, () => "The reader is gone.");
            writer.ExecuteText("DEL", "k");
            Fill(writer, "SADD k {0}");
        }

        // Ten trees of some megabytes; freed nodes are kept for reuse, so some memory stays.
        FaultTarget.Await(
            () => target.Info("used_memory") < before + (8 * Megabyte),
            () => $"{target.Info("used_memory") - before} bytes are left."
        );
        target.AssertEndsWell();
    }

    private static bool IsAsked(RespExchange client, string command) =>
        client.ExecuteText("CLIENT", "LIST").Contains(" cmd=" + command, StringComparison.Ordinal);

    private static string SetAndGet(RespExchange client)
    {
        client.ExecuteText("SET", "other", "v");
        return client.ExecuteText("GET", "other");
    }

    private static long Read(FaultTarget target, int length)
    {
        using RespExchange client = target.Connect();
        byte[]? reply = client.Execute("LRANGE", "k", "0", "-1");
        return reply?.Length == length ? length : throw new InvalidOperationException($"{reply?.Length} bytes of {length}");
    }

    // Streams take one entry per command; all other commands take many elements.
    private static void Fill(RespExchange client, string template)
    {
        string[] words = template.Split(' ');
        int fixedWords = words[0] == "XADD" ? words.Length : 2;
        for (int first = 0; first < Elements; first += ElementsAtOnce)
        {
            int[] numbers = [.. Enumerable.Range(first, ElementsAtOnce)];
            string[][] commands =
                fixedWords == words.Length
                    ? [.. numbers.Select(number => words.Select(word => Format(word, number)).ToArray())]
                    :
                    [
                        [.. words[..2], .. numbers.SelectMany(number => words[2..].Select(word => Format(word, number)))],
                    ];
            using var request = new MemoryStream();
            foreach (string[] command in commands)
                RespExchange.Encode(request, [.. command.Select(Encoding.ASCII.GetBytes)]);
            client.Send(request.GetBuffer().AsSpan(0, (int)request.Length));
            foreach (string[] command in commands)
                Assert.NotEqual((byte)'-', client.ReadReply()![0]);
        }
    }

    private static string Format(string word, int number) => string.Format(CultureInfo.InvariantCulture, word, $"e{number}", number + 1);
}
