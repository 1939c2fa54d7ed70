// SET SLIDING and GETEX SLIDING: what renews, what is kept, and the effects.
using System.Globalization;
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class SlidingExpiryTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    private string Effect(string text) =>
        text.Replace("NOW", _server.NowMs.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal);

    [Fact]
    public void A_renewal_moves_the_expiry_by_the_sliding_time()
    {
        Assert.Equal(Ok, _server.Call("SET", "k", "v", "SLIDING", "1000"));
        Assert.Equal([Effect("SET k v SLIDING 1000 FROM NOW")], _server.Effects.Take());
        Assert.Equal(Integer(1000), _server.Call("PTTL", "k"));
        for (int i = 0; i < 5; i++)
        {
            _server.Clock.Advance(TimeSpan.FromMilliseconds(900));
            Assert.Equal(Integer(100), _server.Call("PTTL", "k"));
            Assert.Equal(Bulk("v"), _server.Call("GETEX", "k", "SLIDING"));
            Assert.Equal([Effect("GETEX k SLIDING FROM NOW")], _server.Effects.Take());
            Assert.Equal(Integer(1000), _server.Call("PTTL", "k"));
        }

        _server.Clock.Advance(TimeSpan.FromMilliseconds(1001));
        Assert.Equal(Null, _server.Call("GETEX", "k", "SLIDING"));
    }

    [Fact]
    public void A_renewal_stops_at_the_limit()
    {
        Assert.Equal(Ok, _server.Call("SET", "k", "v", "SLIDING", "1000", "PX", "1500"));
        Assert.Equal([$"SET k v SLIDING 1000 FROM {_server.NowMs} PXAT {_server.NowMs + 1500}"], _server.Effects.Take());
        Assert.Equal(Integer(1000), _server.Call("PTTL", "k"));
        _server.Clock.Advance(TimeSpan.FromMilliseconds(800));
        Assert.Equal(Bulk("v"), _server.Call("GETEX", "k", "SLIDING"));
        Assert.Equal(Integer(700), _server.Call("PTTL", "k"));
        _server.Clock.Advance(TimeSpan.FromMilliseconds(500));
        _server.Effects.Take();
        Assert.Equal(Bulk("v"), _server.Call("GETEX", "k", "SLIDING"));
        Assert.Empty(_server.Effects.Take());
        Assert.Equal(Integer(200), _server.Call("PTTL", "k"));
        _server.Clock.Advance(TimeSpan.FromMilliseconds(201));
        Assert.Equal(Integer(0), _server.Call("EXISTS", "k"));
    }

    [Fact]
    public void Only_GETEX_SLIDING_renews()
    {
        _server.Call("SET", "k", "v", "SLIDING", "1000");
        _server.Clock.Advance(TimeSpan.FromMilliseconds(600));
        _server.Effects.Take();
        Assert.Equal(Bulk("v"), _server.Call("GET", "k"));
        Assert.Equal(Bulk("v"), _server.Call("GETEX", "k"));
        Assert.Equal(Integer(1), _server.Call("TOUCH", "k"));
        Assert.Equal(Integer(400), _server.Call("PTTL", "k"));
        Assert.Empty(_server.Effects.Take());
    }

    [Fact]
    public void GETEX_SLIDING_only_reads_a_key_that_does_not_slide()
    {
        _server.Call("SET", "k", "v", "PX", "1000");
        _server.Call("SET", "n", "w");
        _server.Clock.Advance(TimeSpan.FromMilliseconds(600));
        _server.Effects.Take();
        Assert.Equal(Bulk("v"), _server.Call("GETEX", "k", "SLIDING"));
        Assert.Equal(Bulk("w"), _server.Call("GETEX", "n", "SLIDING"));
        Assert.Equal(Integer(400), _server.Call("PTTL", "k"));
        Assert.Equal(Integer(-1), _server.Call("PTTL", "n"));
        Assert.Empty(_server.Effects.Take());
    }

    [Fact]
    public void GETEX_SLIDING_TOUCH_renews_without_the_value()
    {
        _server.Call("SET", "k", "v", "SLIDING", "1000");
        _server.Clock.Advance(TimeSpan.FromMilliseconds(600));
        Assert.Equal(Integer(1), _server.Call("GETEX", "k", "SLIDING", "TOUCH"));
        Assert.Equal(Integer(1000), _server.Call("PTTL", "k"));
        Assert.Equal(Integer(0), _server.Call("GETEX", "none", "SLIDING", "TOUCH"));
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("GETEX", "l", "SLIDING", "TOUCH"));
    }

    [Fact]
    public void A_renewal_right_after_another_writes_nothing()
    {
        _server.Call("SET", "k", "v", "SLIDING", "128000");
        _server.Effects.Take();
        _server.Clock.Advance(TimeSpan.FromMilliseconds(1000));
        _server.Call("GETEX", "k", "SLIDING");
        Assert.Empty(_server.Effects.Take());
        Assert.Equal(Integer(127_000), _server.Call("PTTL", "k"));
        _server.Clock.Advance(TimeSpan.FromMilliseconds(1));
        _server.Call("GETEX", "k", "SLIDING");
        Assert.Single(_server.Effects.Take());
        Assert.Equal(Integer(128_000), _server.Call("PTTL", "k"));
    }

    [Theory]
    [InlineData(
        "APPEND k xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    )]
    [InlineData("SETRANGE k 3000 x")]
    [InlineData("SETRANGE k 30000 x")]
    [InlineData("SETBIT k 1 1")]
    [InlineData("INCR k")]
    [InlineData("INCRBYFLOAT k 1.5")]
    [InlineData("SET k w KEEPTTL")]
    [InlineData("MSETEX 1 k w KEEPTTL")]
    public void A_change_of_the_value_keeps_the_sliding_expiry(string change)
    {
        _server.Call("SET", "k", "1", "SLIDING", "1000", "PX", "100000");
        Assert.DoesNotContain("-", _server.Call(change.Split(' ')), StringComparison.Ordinal);
        AssertSlides("k");
    }

    [Theory]
    [InlineData("RENAME k m")]
    [InlineData("COPY k m")]
    public void A_copy_has_the_sliding_expiry_of_its_source(string change)
    {
        _server.Call("SET", "k", "1", "SLIDING", "1000", "PX", "100000");
        _server.Call(change.Split(' '));
        AssertSlides("m");
    }

    [Theory]
    [InlineData("PEXPIRE k 700", 700)]
    [InlineData("PERSIST k", -1)]
    [InlineData("SET k w PX 700", 700)]
    [InlineData("SET k w", -1)]
    [InlineData("GETEX k PX 700", 700)]
    [InlineData("GETSET k w", -1)]
    public void Another_expiry_ends_the_sliding(string change, int remaining)
    {
        _server.Call("SET", "k", "1", "SLIDING", "1000");
        _server.Call(change.Split(' '));
        Assert.Equal(Integer(remaining), _server.Call("PTTL", "k"));
        _server.Clock.Advance(TimeSpan.FromMilliseconds(100));
        _server.Call("GETEX", "k", "SLIDING");
        Assert.Equal(Integer(remaining < 0 ? -1 : remaining - 100), _server.Call("PTTL", "k"));
    }

    [Fact]
    public void SET_takes_SLIDING_with_its_other_options()
    {
        Assert.Equal(Null, _server.Call("SET", "k", "v", "XX", "SLIDING", "1000"));
        Assert.Equal(Ok, _server.Call("SET", "k", "v", "SLIDING", "1000", "NX"));
        Assert.Equal(Bulk("v"), _server.Call("SET", "k", "w", "GET", "SLIDING", "2000", "IFEQ", "v"));
        Assert.Equal(Integer(2000), _server.Call("PTTL", "k"));
        Assert.Equal(
            Ok,
            _server.Call("SET", "k", "w", "SLIDING", "2000", "PXAT", (_server.NowMs - 1).ToString(CultureInfo.InvariantCulture))
        );
        Assert.Equal(Integer(0), _server.Call("EXISTS", "k"));
    }

    [Theory]
    [InlineData("SET k v SLIDING")]
    [InlineData("SET k v SLIDING 5 KEEPTTL")]
    [InlineData("SET k v KEEPTTL SLIDING 5")]
    [InlineData("SET k v FROM 5")]
    [InlineData("SET k v SLIDING 5 FROM")]
    [InlineData("SET k v SLIDING 5 TOUCH")]
    [InlineData("GETEX k SLIDING 5")]
    [InlineData("GETEX k SLIDING PX 5")]
    [InlineData("GETEX k PX 5 SLIDING")]
    [InlineData("GETEX k SLIDING PERSIST")]
    [InlineData("GETEX k PERSIST SLIDING")]
    [InlineData("GETEX k TOUCH")]
    [InlineData("GETEX k FROM 5")]
    [InlineData("GETEX k EX 5 TOUCH")]
    [InlineData("MSETEX 1 k v SLIDING 5")]
    public void Incompatible_options_are_a_syntax_error(string command) => Assert.Equal(Syntax, _server.Call(command.Split(' ')));

    [Theory]
    [InlineData("SET k v SLIDING 0", "set")]
    [InlineData("SET k v SLIDING -5", "set")]
    [InlineData("SET k v SLIDING 9223372036854775807", "set")]
    [InlineData("SET k v SLIDING 5 FROM 0", "set")]
    [InlineData("SET k v SLIDING 5 PX 0", "set")]
    [InlineData("GETEX k SLIDING FROM -1", "getex")]
    public void Times_are_checked(string command, string name) =>
        Assert.Equal($"-ERR invalid expire time in '{name}' command\r\n", _server.Call(command.Split(' ')));

    [Fact]
    public void Replayed_effects_give_the_same_times()
    {
        using InProcessServer other = new();
        _server.Call("SET", "k", "v", "SLIDING", "1000", "PX", "5000");
        _server.Clock.Advance(TimeSpan.FromMilliseconds(500));
        other.Clock.Advance(TimeSpan.FromMilliseconds(600));
        _server.Call("GETEX", "k", "SLIDING");
        foreach (string effect in _server.Effects.Take())
            other.Call(effect.Split(' '));
        Assert.Equal(_server.ExpiryOf("k"), other.ExpiryOf("k"));
        Assert.Equal(_server.NowMs + 1000, other.ExpiryOf("k"));
    }

    // Stays after a renewal, and still has its limit.
    private void AssertSlides(string key)
    {
        Assert.Equal(Integer(1000), _server.Call("PTTL", key));
        _server.Clock.Advance(TimeSpan.FromMilliseconds(900));
        Assert.Equal(Integer(1), _server.Call("GETEX", key, "SLIDING", "TOUCH"));
        Assert.Equal(Integer(1000), _server.Call("PTTL", key));
        for (int i = 0; i < 110; i++)
        {
            _server.Clock.Advance(TimeSpan.FromMilliseconds(900));
            _server.Call("GETEX", key, "SLIDING", "TOUCH");
        }

        Assert.Equal(Integer(100), _server.Call("PTTL", key));
    }
}
