// Seeded protocol fuzz: valid and damaged pipelines, cut at random, must parse as they do in one piece. GARNET_FUZZ_SECONDS or
// GARNET_FUZZ_ROUNDS run it longer, on all processors.
using System.Diagnostics;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Protocol.Tests;

public sealed class RequestParserFuzz(ITestOutputHelper output)
{
    private const int UsualRounds = 3000;
    private static readonly string[] Fragments =
    [
        "*",
        "$",
        "\r\n",
        "\r",
        "\n",
        "-1",
        "0",
        "\"",
        "'",
        "\\x4",
        " ",
        "\0",
        "*1\r\n",
        "$3\r\nGET\r\n",
        "99999999999",
        "*0\r\n",
    ];

    [Fact]
    public void Input_split_anywhere_parses_to_the_same_result()
    {
        int seed = TestSeed.ChooseAnew(output);
        _ = int.TryParse(Environment.GetEnvironmentVariable("GARNET_FUZZ_SECONDS"), out int seconds);
        long rounds = long.TryParse(Environment.GetEnvironmentVariable("GARNET_FUZZ_ROUNDS"), out long asked) ? asked : UsualRounds;
        var clock = Stopwatch.StartNew();
        long round = -1;
        Parallel.For(
            0,
            Environment.ProcessorCount,
            _ =>
            {
                while (Interlocked.Increment(ref round) is var mine && (mine < rounds || clock.Elapsed.TotalSeconds < seconds))
                    Compare(unchecked(seed + (int)mine));
            }
        );
        output.WriteLine($"{round} inputs");
    }

    private static void Compare(int seed)
    {
        var random = new Random(seed);
        List<string> expected = [];
        byte[] input = Pipeline(random, expected);
        bool damaged = random.Next(2) == 0;
        if (damaged)
            input = Damage(random, input);
        bool restricted = random.Next(4) == 0;

        // Damaged input is cut where limits of length cannot differ by the cut: the corpus has no line near 64 KiB.
        var whole = ParsedStream.Of(input, new RequestParser { IsRestricted = restricted });
        ParsedStream pieces = Cut(random, input, restricted);
        Assert.True(whole.Describe() == pieces.Describe(), $"seed {seed}: cut input parsed otherwise");
        Assert.True(whole.Error is not null || whole.KeptBytes == pieces.KeptBytes, $"seed {seed}: unfinished bytes differ");
        if (!damaged && !restricted)
            Assert.Equal(expected, whole.Requests);
    }

    private static ParsedStream Cut(Random random, byte[] input, bool restricted)
    {
        var stream = new ParsedStream(new RequestParser { IsRestricted = restricted, PendingBulkThreshold = random.Next(1, 100) })
        {
            Detaches = random.Next(2) == 0,
        };
        for (int position = 0; position < input.Length; )
        {
            int length = Math.Min(random.Next(1, random.Next(2, 80)), input.Length - position);
            stream.Lead = random.Next(4);
            stream.Receive(input.AsSpan(position, length));
            position += length;
        }
        return stream;
    }

    private static byte[] Pipeline(Random random, List<string> expected)
    {
        using var bytes = new MemoryStream();
        for (int requests = random.Next(1, 8); requests > 0; requests--)
        {
            int count = random.Next(random.Next(8) == 0 ? 20 : 5);
            bytes.Write(ParsedStream.Bytes($"*{count}\r\n"));
            string text = "";
            for (int i = 0; i < count; i++)
            {
                byte[] argument = new byte[random.Next(random.Next(10) == 0 ? 2000 : 14)];
                random.NextBytes(argument);
                bytes.Write(ParsedStream.Bytes($"${argument.Length}\r\n"));
                bytes.Write(argument);
                bytes.Write("\r\n"u8);
                text += $"[{System.Text.Encoding.Latin1.GetString(argument)}]";
            }
            if (count > 0)
                expected.Add(text);
            if (random.Next(4) == 0)
            {
                bytes.Write("ECHO \"a b\" 'c' d\r\n"u8);
                expected.Add("[ECHO][a b][c][d]");
            }
        }
        return bytes.ToArray();
    }

    private static byte[] Damage(Random random, byte[] input)
    {
        var bytes = new List<byte>(input);
        for (int changes = random.Next(1, 5); changes > 0 && bytes.Count > 0; changes--)
        {
            int at = random.Next(bytes.Count);
            switch (random.Next(4))
            {
                case 0:
                    bytes[at] = (byte)random.Next(256);
                    break;
                case 1:
                    bytes.RemoveRange(at, Math.Min(random.Next(1, 10), bytes.Count - at));
                    break;
                case 2:
                    bytes.InsertRange(at, ParsedStream.Bytes(Fragments[random.Next(Fragments.Length)]));
                    break;
                default:
                    bytes[at] ^= (byte)(1 << random.Next(8));
                    break;
            }
        }
        return [.. bytes];
    }
}
