// PFADD: the stored bytes equal those recorded from Valkey; corrupt sketches do no harm.
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Garnet.Testing;
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.HyperLogLogs;

public sealed class PfAddCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData(1, 1, 21, "54bd0380d9e97039aee4d973eef388d956dee2743f486d4fd49f1503d424f368")]
    [InlineData(10, 10, 48, "a5ce62d368049c00181fc8233f456cef54bf7706a5e6a613530562d9d9f2c652")]
    [InlineData(100, 99, 285, "28e31e2547b980be9aad13ecd2c02fb549be331441875739d0ee5a88e0f55b88")]
    [InlineData(1000, 997, 1897, "c3d3a91d5d2882e1a3d0ccdc6a70c7ec3ce8e3aa58c8f26a04215d1556ef0e32")]
    [InlineData(3000, 3002, 12304, "65422dc67d7e4d8a1a7786c9ba445ca40f3f13c057f3e6c524a41c2acad7faa7")]
    [InlineData(10000, 10017, 12304, "0f3e2f59563e4143525fbf68fe0747bbfde8182b114f4e4f0f069b614b3eb81b")]
    [InlineData(100000, 100039, 12304, "1361eb16307b51cd37a9924123ce76b09baeb0980b969be423b0f893b03f3ffe")]
    public void Bytes_and_estimate_equal_those_of_Valkey(int elements, long estimate, int length, string digest)
    {
        foreach (int[] part in Enumerable.Range(0, elements).Chunk(1000))
        {
            Assert.Equal(
                Integer(1),
                _server.Call(["PFADD", "k", .. part.Select(i => string.Create(CultureInfo.InvariantCulture, $"element:{i}"))])
            );
        }

        string reply = _server.Call("GET", "k");
        byte[] stored = Encoding.Latin1.GetBytes(reply[(reply.IndexOf('\n') + 1)..^2]);
        Assert.Equal(length, stored.Length);
        Assert.Equal(digest, Convert.ToHexStringLower(SHA256.HashData(stored)));
        Assert.Equal(Integer(estimate), _server.Call("PFCOUNT", "k"));
    }

    [Fact]
    public void PFADD_replies_whether_anything_changed()
    {
        Assert.Equal(Integer(1), _server.Call("PFADD", "k"));
        Assert.Equal(Integer(0), _server.Call("PFADD", "k"));
        Assert.Equal(Integer(1), _server.Call("PFADD", "k", "a", "b"));
        Assert.Equal(Integer(0), _server.Call("PFADD", "k", "b", "a"));
        Assert.Equal(["PFADD k", "PFADD k a b"], _server.Effects.Take());
        _server.Call("PFDEBUG", "TODENSE", "k");
        _server.Effects.Take();
        Assert.Equal(Integer(0), _server.Call("PFADD", "k", "b", "a"));
        Assert.Empty(_server.Effects.Take());
        Assert.Equal(Integer(1), _server.Call("PFADD", "k", "c"));
    }

    [Fact]
    public void PFADD_keeps_the_expiry()
    {
        _server.Call("PFADD", "k", "a");
        _server.Call("GETEX", "k", "PX", "5000");
        _server.Call("PFADD", "k", "b");
        _server.Call("PFDEBUG", "TODENSE", "k");
        _server.Call("PFADD", "k", "c");
        Assert.Equal(_server.NowMs + 5000, _server.ExpiryOf("k"));
    }

    [Fact]
    public void A_sketch_turns_dense_at_the_limit_of_the_configuration()
    {
        using InProcessServer dense = new(options => options.HllSparseMaxBytes = 0);
        dense.Call("PFADD", "k", "a");
        Assert.Equal("+dense\r\n", dense.Call("PFDEBUG", "ENCODING", "k"));
        Assert.Equal(Integer(1), dense.Call("PFCOUNT", "k"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("HYLL")]
    [InlineData("HYLL\u0001\0\0\0\0\0\0\0\0\0\0")]
    [InlineData("HYLX\u0001\0\0\0\0\0\0\0\0\0\0\0\u007F\u00FF")]
    [InlineData("HYLL\u0002\0\0\0\0\0\0\0\0\0\0\0\u007F\u00FF")]
    [InlineData("HYLL\0\0\0\0\0\0\0\0\0\0\0\0\u007F\u00FF")]
    public void Strings_of_another_form_are_refused(string value)
    {
        _server.Call("SET", "k", value);
        const string refusal = "-WRONGTYPE Key is not a valid HyperLogLog string value.\r\n";
        Assert.Equal(refusal, _server.Call("PFADD", "k", "a"));
        Assert.Equal(refusal, _server.Call("PFCOUNT", "k"));
        Assert.Equal(refusal, _server.Call("PFCOUNT", "k", "k"));
        Assert.Equal(refusal, _server.Call("PFMERGE", "t", "k"));
        Assert.Equal(refusal, _server.Call("PFDEBUG", "ENCODING", "k"));
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("PFADD", "l", "a"));
    }

    [Fact]
    public void Corrupt_runs_give_errors_and_do_not_crash_the_server()
    {
        int seed = TestSeed.Choose(19);
        Random random = new(seed);
        for (int round = 0; round < 3000; round++)
        {
            byte[] runs = new byte[random.Next(0, round % 50 == 0 ? 40_000 : 40)];
            random.NextBytes(runs);
            if (round % 3 == 0)
                runs.AsSpan().Fill((byte)random.Next(256));
            _server.Call("SET", "k", "HYLL\u0001\0\0\0\0\0\0\0\0\0\0\u0080" + Encoding.Latin1.GetString(runs));
            foreach (
                string[] command in new string[][]
                {
                    ["PFADD", "k", $"{random.Next()}", $"{random.Next()}"],
                    ["PFCOUNT", "k"],
                    ["PFCOUNT", "k", "k"],
                    ["PFMERGE", "t", "k"],
                    ["PFDEBUG", "DECODE", "k"],
                    ["PFDEBUG", "TODENSE", "k"],
                }
            )
            {
                string reply = _server.Call(command);
                bool error = reply == "-INVALIDOBJ Corrupted HLL object detected\r\n";
                Assert.True(
                    error || reply[0] is ':' or '$' or '+',
                    $"seed {seed}, round {round}: {string.Join(' ', command)} gave {reply}"
                );
            }

            _server.Call("GETDEL", "t");
        }
    }
}
