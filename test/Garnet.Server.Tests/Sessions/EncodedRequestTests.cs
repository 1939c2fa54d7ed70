// Requests that are copied into the stream of effects as they were received.
using System.Text;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Sessions;

public sealed class EncodedRequestTests(ITestOutputHelper output)
{
    [Fact]
    public void What_is_found_is_exactly_the_encoding_of_the_arguments()
    {
        Random random = new(TestSeed.ChooseAnew(output));
        int found = 0;
        for (int round = 0; round < 5000; round++)
        {
            string[] arguments =
            [
                .. Enumerable
                    .Range(0, random.Next(1, 13))
                    .Select(_ => new string((char)random.Next('\n', '9'), random.Next(3) * random.Next(60))),
            ];
            byte[] encoded = Encode(arguments);
            byte[] before = new byte[random.Next(20)];
            random.NextBytes(before);
            byte[] buffer = [.. before, .. encoded, .. before];
            ArgumentRange[] ranges = Ranges(arguments, before.Length);
            Assert.True(EncodedRequest.TryFind(buffer, ranges, out ReadOnlySpan<byte> same));
            Assert.Equal(encoded, same);

            // Any other headers, ends of lines and arguments.
            buffer[random.Next(buffer.Length)] = (byte)random.Next(256);
            ArgumentRange[] taken = random.Next(3) == 0 ? [.. ranges.Where(_ => random.Next(5) > 0)] : ranges;
            if (!EncodedRequest.TryFind(buffer, taken, out ReadOnlySpan<byte> other))
                continue;
            Assert.Equal(Encode([.. taken.Select(range => Encoding.Latin1.GetString(buffer, range.Offset, range.Length))]), other);
            found++;
        }

        Assert.NotEqual(0, found);
    }

    [Theory]
    [InlineData("SET key value\r\n", 0, 4, 8)]
    [InlineData("*03\r\n$3\r\nSET\r\n$3\r\nkey\r\n$5\r\nvalue\r\n", 9, 18, 27)]
    [InlineData("*3\r\n$03\r\nSET\r\n$3\r\nkey\r\n$5\r\nvalue\r\n", 9, 18, 27)]
    [InlineData("*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$005\r\nvalue\r\n", 8, 17, 28)]
    [InlineData("*4\r\n$3\r\nSET\r\n$3\r\nkey\r\n$5\r\nvalue\r\n", 8, 17, 26)]
    [InlineData("*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$5\r\nvalue", 8, 17, 26)]
    [InlineData("$3\r\nSET\r\n$3\r\nkey\r\n$5\r\nvalue\r\n", 4, 13, 22)]
    public void Other_requests_are_not_taken(string buffer, int name, int key, int value) =>
        Assert.False(EncodedRequest.TryFind(Encoding.ASCII.GetBytes(buffer), [new(name, 3), new(key, 3), new(value, 5)], out _));

    private static byte[] Encode(string[] arguments) =>
        Encoding.Latin1.GetBytes($"*{arguments.Length}\r\n{string.Concat(arguments.Select(each => $"${each.Length}\r\n{each}\r\n"))}");

    private static ArgumentRange[] Ranges(string[] arguments, int start)
    {
        var ranges = new ArgumentRange[arguments.Length];
        int at = start + $"*{arguments.Length}\r\n".Length;
        for (int i = 0; i < arguments.Length; i++)
        {
            at += $"${arguments[i].Length}\r\n".Length;
            ranges[i] = new ArgumentRange(at, arguments[i].Length);
            at += arguments[i].Length + 2;
        }

        return ranges;
    }
}
