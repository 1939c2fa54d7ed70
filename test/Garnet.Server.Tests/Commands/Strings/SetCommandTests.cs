// SET with every option, its conditions, expiries and effects.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class SetCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void Plain_SET_replaces_value_type_and_expiry()
    {
        _server.PutOtherType("k");
        Assert.Equal(Ok, _server.Call("SET", "k", "v"));
        Assert.Equal(Bulk("v"), _server.Call("GET", "k"));
        Assert.Equal(Ok, _server.Call("SET", "k", "v", "EX", "10"));
        Assert.Equal(Ok, _server.Call("set", "k", "w"));
        Assert.Equal(-1, _server.ExpiryOf("k"));
    }

    [Theory]
    [InlineData("EX", "10", 10_000L, true)]
    [InlineData("px", "1500", 1500L, true)]
    [InlineData("EXAT", "4102444800", 4_102_444_800_000L, false)]
    [InlineData("pxat", "4102444800123", 4_102_444_800_123L, false)]
    public void An_expiry_is_kept_and_written_as_an_absolute_one(string option, string argument, long milliseconds, bool relative)
    {
        long expected = relative ? _server.NowMs + milliseconds : milliseconds;
        Assert.Equal(Ok, _server.Call("SET", "k", "v", option, argument));
        Assert.Equal(expected, _server.ExpiryOf("k"));
        Assert.Equal([$"SET k v PXAT {expected}"], _server.Effects.Take());
    }

    [Fact]
    public void A_key_is_gone_after_its_expiry()
    {
        _server.Call("SET", "k", "v", "PX", "100");
        _server.Clock.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Equal(Bulk("v"), _server.Call("GET", "k"));
        _server.Clock.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(Null, _server.Call("GET", "k"));
    }

    [Theory]
    [InlineData("0")]
    [InlineData("-1")]
    [InlineData("9223372036854775807")]
    public void An_invalid_expiry_is_rejected(string seconds)
    {
        Assert.Equal("-ERR invalid expire time in 'set' command\r\n", _server.Call("SET", "k", "v", "EX", seconds));
        Assert.Equal("-ERR invalid expire time in 'set' command\r\n", _server.Call("SET", "k", "v", "PX", "9223372036854775807"));
        Assert.Equal(Null, _server.Call("GET", "k"));
    }

    [Fact]
    public void A_non_integer_expiry_is_rejected() => Assert.Equal(NotInteger, _server.Call("SET", "k", "v", "EX", "1.5"));

    [Fact]
    public void A_time_that_has_passed_removes_the_key()
    {
        _server.Call("SET", "k", "v");
        _server.Effects.Take();
        Assert.Equal(Ok, _server.Call("SET", "k", "w", "PXAT", "1"));
        Assert.Equal(["DEL k"], _server.Effects.Take());
        Assert.Equal(Null, _server.Call("GET", "k"));
        Assert.Equal(Ok, _server.Call("SET", "k", "w", "EXAT", "1"));
        Assert.Empty(_server.Effects.Take());
    }

    [Fact]
    public void KEEPTTL_keeps_the_expiry()
    {
        _server.Call("SET", "k", "v", "PX", "5000");
        long expiry = _server.ExpiryOf("k");
        _server.Effects.Take();
        Assert.Equal(Ok, _server.Call("SET", "k", "longer than before", "KEEPTTL"));
        Assert.Equal(expiry, _server.ExpiryOf("k"));
        Assert.Equal(["SET k longer than before KEEPTTL"], _server.Effects.Take());
    }

    [Fact]
    public void NX_and_XX_depend_on_the_key()
    {
        Assert.Equal(Null, _server.Call("SET", "k", "v", "XX"));
        Assert.Empty(_server.Effects.Take());
        Assert.Equal(Ok, _server.Call("SET", "k", "v", "NX"));
        Assert.Equal(Null, _server.Call("SET", "k", "w", "nx"));
        Assert.Equal(Ok, _server.Call("SET", "k", "w", "xx"));
        Assert.Equal(Bulk("w"), _server.Call("GET", "k"));
    }

    [Fact]
    public void IFEQ_depends_on_the_value()
    {
        Assert.Equal(Null, _server.Call("SET", "k", "v", "IFEQ", "x"));
        _server.Call("SET", "k", "a");
        Assert.Equal(Null, _server.Call("SET", "k", "v", "IFEQ", "b"));
        Assert.Equal(Ok, _server.Call("SET", "k", "v", "IFEQ", "a"));
        Assert.Equal(Bulk("v"), _server.Call("SET", "k", "w", "IFEQ", "v", "GET"));
        Assert.Equal(Bulk("w"), _server.Call("SET", "k", "x", "IFEQ", "v", "GET"));
        Assert.Equal(Bulk("w"), _server.Call("GET", "k"));
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("SET", "l", "x", "IFEQ", "v"));
    }

    [Fact]
    public void GET_replies_with_the_old_value_whether_or_not_the_conditions_hold()
    {
        Assert.Equal(Null, _server.Call("SET", "k", "a", "GET"));
        Assert.Equal(Bulk("a"), _server.Call("SET", "k", "b", "GET"));
        Assert.Equal(["SET k a", "SET k b"], _server.Effects.Take());
        Assert.Equal(Bulk("b"), _server.Call("SET", "k", "c", "NX", "GET"));
        Assert.Equal(Bulk("b"), _server.Call("SET", "k", "c", "GET", "PXAT", "1"));
        Assert.Equal(Null, _server.Call("SET", "k", "c", "XX", "GET"));
        Assert.Equal(Null, _server.Call("GET", "k"));
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("SET", "l", "x", "GET"));
    }

    [Theory]
    [InlineData("NX XX")]
    [InlineData("XX IFEQ a")]
    [InlineData("IFEQ a NX")]
    [InlineData("IFEQ a IFEQ a")]
    [InlineData("IFEQ")]
    [InlineData("EX")]
    [InlineData("EX 10 PX 10")]
    [InlineData("EX 10 KEEPTTL")]
    [InlineData("KEEPTTL PXAT 10")]
    [InlineData("PERSIST")]
    [InlineData("FOO")]
    public void Options_that_exclude_each_other_are_a_syntax_error(string options) =>
        Assert.Equal(Syntax, _server.Call(["SET", "k", "v", .. options.Split(' ')]));

    [Fact]
    public void Options_may_be_repeated_and_the_last_expiry_counts()
    {
        Assert.Equal(Ok, _server.Call("SET", "k", "v", "NX", "NX", "EX", "10", "EX", "20"));
        Assert.Equal(_server.NowMs + 20_000, _server.ExpiryOf("k"));
    }

    [Fact]
    public void Every_byte_and_length_round_trips()
    {
        foreach (int length in new[] { 0, 1, 63, 64, 65, 255, 256, 4095, 16_383, 16_384, 65_536, 65_537, 1_000_000 })
        {
            string value = string.Create(
                length,
                length,
                static (span, seed) =>
                {
                    for (int i = 0; i < span.Length; i++)
                        span[i] = (char)((i * 31 + seed) & 0xFF);
                }
            );
            Assert.Equal(Ok, _server.Call("SET", "k", value));
            Assert.Equal(Bulk(value), _server.Call("GET", "k"));
        }
    }
}
