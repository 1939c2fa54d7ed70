// LCS: the subsequence, its length, its matching ranges, and limits.
using Garnet.Testing;
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class LcsCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    private void SetExample()
    {
        _server.Call("SET", "a", "ohmytext");
        _server.Call("SET", "b", "mynewtext");
    }

    [Fact]
    public void LCS_gives_text_or_length()
    {
        SetExample();
        Assert.Equal(Bulk("mytext"), _server.Call("LCS", "a", "b"));
        Assert.Equal(Integer(6), _server.Call("LCS", "a", "b", "LEN"));
        Assert.Equal(Integer(6), _server.Call("LCS", "b", "a", "len"));
        Assert.Equal(Bulk(""), _server.Call("LCS", "a", "missing"));
        Assert.Equal(Integer(0), _server.Call("LCS", "missing", "missing", "LEN"));
    }

    [Fact]
    public void LCS_gives_matching_ranges()
    {
        SetExample();
        string first = Array(Array(Integer(4), Integer(7)), Array(Integer(5), Integer(8)));
        string second = Array(Array(Integer(2), Integer(3)), Array(Integer(0), Integer(1)));
        Assert.Equal(Array(Bulk("matches"), Array(first, second), Bulk("len"), Integer(6)), _server.Call("LCS", "a", "b", "IDX"));
        Assert.Equal(
            Array(Bulk("matches"), Array(first), Bulk("len"), Integer(6)),
            _server.Call("LCS", "a", "b", "IDX", "MINMATCHLEN", "4")
        );
        string withLength = Array(Array(Integer(4), Integer(7)), Array(Integer(5), Integer(8)), Integer(4));
        Assert.Equal(
            "%2\r\n" + Bulk("matches") + Array(withLength) + Bulk("len") + Integer(6),
            _server.Connect(protocolVersion: 3).Call("LCS", "a", "b", "IDX", "MINMATCHLEN", "4", "WITHMATCHLEN")
        );
    }

    [Fact]
    public void LCS_agrees_with_the_whole_table()
    {
        int seed = TestSeed.Choose(20260611);
        Random random = new(seed);
        for (int round = 0; round < 200; round++)
        {
            string a = RandomText(random);
            string b = RandomText(random);
            _server.Call("MSET", "a", a, "b", b);
            string expected = Naive(a, b);
            Assert.True(Bulk(expected) == _server.Call("LCS", "a", "b"), $"seed {seed}, round {round}: {a} and {b}");
            Assert.Equal(Integer(expected.Length), _server.Call("LCS", "a", "b", "LEN"));
        }
    }

    [Fact]
    public void LCS_checks_types_then_options_then_size()
    {
        _server.PutOtherType("l");
        Assert.Equal("-ERR The specified keys must contain string values\r\n", _server.Call("LCS", "l", "a", "FOO"));
        Assert.Equal("-ERR The specified keys must contain string values\r\n", _server.Call("LCS", "a", "l"));
        Assert.Equal(Syntax, _server.Call("LCS", "a", "b", "FOO"));
        Assert.Equal(Syntax, _server.Call("LCS", "a", "b", "MINMATCHLEN"));
        Assert.Equal(NotInteger, _server.Call("LCS", "a", "b", "MINMATCHLEN", "x"));
        Assert.Equal("-ERR If you want both the length and indexes, please just use IDX.\r\n", _server.Call("LCS", "a", "b", "LEN", "IDX"));
        _server.Call("MSET", "a", new string('x', 20_000), "b", new string('x', 20_000));
        Assert.Equal(
            "-ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len\r\n",
            _server.Call("LCS", "a", "b", "LEN")
        );
    }

    private static string RandomText(Random random) =>
        string.Create(
            random.Next(0, 300),
            random,
            static (span, random) =>
            {
                foreach (ref char c in span)
                    c = (char)('a' + random.Next(3));
            }
        );

    private static string Naive(string a, string b)
    {
        int[,] table = new int[a.Length + 1, b.Length + 1];
        for (int i = 1; i <= a.Length; i++)
        {
            for (int j = 1; j <= b.Length; j++)
                table[i, j] = a[i - 1] == b[j - 1] ? table[i - 1, j - 1] + 1 : Math.Max(table[i - 1, j], table[i, j - 1]);
        }

        string text = "";
        for (int i = a.Length, j = b.Length; i > 0 && j > 0; )
        {
            if (a[i - 1] == b[j - 1])
            {
                text = a[i - 1] + text;
                i--;
                j--;
            }
            else if (table[i - 1, j] > table[i, j - 1])
            {
                i--;
            }
            else
            {
                j--;
            }
        }

        return text;
    }
}
