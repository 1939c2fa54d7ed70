// Scripts with named parameters, in the process. A server without endpoints for each test.
using System.Text;
using Garnet.Client;
using Xunit;

namespace Garnet.EndToEnd.Tests.Scripting;

public sealed class NamedScriptTests : IAsyncLifetime
{
    private static readonly GarnetScript Add = GarnetScript.Prepare("return redis.call('INCRBY', @key, @amount)");

    private readonly GarnetServer _server = new GarnetServerBuilder { Options = new GarnetOptions { Bind = [] } }.Build();

    private IGarnet Garnet => _server.InProcess;

    public Task InitializeAsync() => _server.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Names_are_keys_or_arguments_by_their_types()
    {
        Assert.Equal(2, Garnet.Eval(Add, new { key = (GarnetKey)"n", amount = 2 }).AsInt64());
        Assert.Equal(5, (await Garnet.EvalAsync(Add, new { amount = "3", key = new GarnetKey("n"u8.ToArray()) })).AsInt64());
        var script = GarnetScript.Prepare("return {#KEYS, #ARGV, @a, KEYS[1], @b, @a, KEYS[2]}");
        Assert.Equal(["a", "b"], script.Parameters);
        Assert.Equal("1 1 x k k x", Joined(Garnet.Eval(script, new { a = "x", b = (GarnetKey)"k" })));
        Assert.Equal("2 0 x x k x k", Joined(Garnet.Eval(script, new { a = (GarnetKey)"x", b = (GarnetKey)"k" })));
    }

    [Fact]
    public void The_text_is_compiled_once()
    {
        for (int i = 0; i < 10; i++)
            Garnet.Eval(Add, new { key = (GarnetKey)"n", amount = i });
        Assert.Equal(1, _server.Resp.Scripts.Cache.Count);
        Assert.Equal(45, Garnet.Eval(GarnetScript.Prepare("return tonumber(redis.call('get', 'n'))")).AsInt64());
        Assert.Contains("cmdstat_eval:calls=2,", Garnet.Execute("INFO", "commandstats").AsString(), StringComparison.Ordinal);
        // A server that was asked to forget it gets it again.
        Garnet.Execute("SCRIPT", "FLUSH");
        Assert.Equal(46, Garnet.Eval(Add, new { key = (GarnetKey)"n", amount = 1 }).AsInt64());
    }

    [Theory]
    [InlineData("return '@a'", "@a")]
    [InlineData("return \"\\\"@a\"", "\"@a")]
    [InlineData("return [[@a]]", "@a")]
    [InlineData("return [==[@a]]@b]==]", "@a]]@b")]
    [InlineData("-- @a\nreturn 'x'", "x")]
    [InlineData("--[[ @a\n]] return 'x'", "x")]
    public void Strings_and_comments_are_left_as_they_are(string text, string result)
    {
        var script = GarnetScript.Prepare(text);
        Assert.Empty(script.Parameters);
        Assert.Equal(result, Garnet.Eval(script).AsString());
    }

    [Fact]
    public void Values_arrive_as_texts()
    {
        var script = GarnetScript.Prepare("return {@i, @d, @t, @b, @s}");
        var values = new
        {
            i = long.MinValue,
            d = 0.1,
            t = true,
            b = new byte[] { 65 },
            s = "é",
        };
        Assert.Equal("-9223372036854775808 0.1 1 A é", Joined(Garnet.Eval(script, values)));
    }

    // Of all kinds of properties; those with a type of their own, and those that are boxed.
    [Fact]
    public void Values_of_all_types_and_lengths_arrive()
    {
        var script = GarnetScript.Prepare("return {@i, @l, @d, @f, @u, @m, @o, @long, @none}");
        var values = new
        {
            i = -7,
            l = long.MaxValue,
            d = -1e300,
            f = 1.5f,
            u = (ushort)9,
            m = (ReadOnlyMemory<byte>)"bytes"u8.ToArray(),
            o = (object)12.25m,
            @long = new string('é', 3000),
            none = "",
        };
        string expected = $"-7 9223372036854775807 -1E+300 1.5 9 bytes 12.25 {new string('é', 3000)} ";
        Assert.Equal(expected, Joined(Garnet.Eval(script, values)));
        Assert.Equal("a b", Joined(Garnet.Eval(GarnetScript.Prepare("return {@A, @B}"), new Structure("a", "b"))));
        string many = string.Join(", ", Enumerable.Range(0, 70).Select(static i => i % 2 == 0 ? "@a" : "@b"));
        Assert.Equal(70, Garnet.Eval(GarnetScript.Prepare($"return #{{{many}}}"), new { a = "1", b = (object)(GarnetKey)"k" }).AsInt64());
    }

    [Fact]
    public void A_call_allocates_no_more_than_the_command_itself()
    {
        var script = GarnetScript.Prepare("return #@key + @amount + @text");
        var parameters = new
        {
            key = (GarnetKey)"n",
            amount = 2,
            text = "30",
        };
        Assert.Equal(33, Garnet.Eval(script, parameters).AsInt64());
        string hash = Garnet.Execute("SCRIPT", "LOAD", "return #KEYS[1] + ARGV[1] + ARGV[2]").AsString()!;
        ReadOnlyMemory<byte>[] arguments = [.. new[] { hash, "1", "n", "2", "30" }.Select(static each => Encoding.UTF8.GetBytes(each))];
        long direct = Allocated(() => Garnet.Execute("EVALSHA", arguments.AsSpan()));
        // One object more in each call would be 24 bytes; half of that over all calls is more than what grows or is compiled only once.
        long named = Allocated(() => Garnet.Eval(script, parameters));
        Assert.True(named < direct + 12, $"{named} bytes a call, the command itself {direct}");
    }

    private static long Allocated(Action call)
    {
        const int Calls = 1000;
        for (int i = 0; i < Calls; i++)
            call();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < Calls; i++)
            call();
        return (GC.GetAllocatedBytesForCurrentThread() - before) / Calls;
    }

    private readonly record struct Structure(string A, string B);

    [Fact]
    public async Task Errors_are_thrown()
    {
        Assert.Contains(
            "key",
            Assert.Throws<ArgumentException>(() => Garnet.Eval(Add, new { amount = 1 })).Message,
            StringComparison.Ordinal
        );
        Assert.Throws<ArgumentException>(() => Garnet.Eval(Add));
        Assert.Throws<ArgumentException>(() => Garnet.Eval(Add, new { key = (GarnetKey)"n", amount = (string?)null }));
        Assert.Throws<ArgumentException>(() => Garnet.Eval(Add, new { key = (GarnetKey)"n", amount = new Version(1, 0) }));
        Garnet.Set("n", "text");
        Assert.Equal("ERR", Assert.Throws<GarnetCommandException>(() => Garnet.Eval(Add, new { key = (GarnetKey)"n", amount = 1 })).Code);
        Assert.Equal(
            "ERR",
            (await Assert.ThrowsAsync<GarnetCommandException>(async () => await Garnet.EvalAsync(GarnetScript.Prepare("x =")))).Code
        );
    }

    [Fact]
    public async Task A_script_that_returns_an_error_of_its_own_runs_once()
    {
        var script = GarnetScript.Prepare("redis.call('INCR', @key) return redis.error_reply('NOSCRIPT of its own')");
        var parameters = new { key = (GarnetKey)"runs" };
        Assert.Equal("NOSCRIPT", Assert.Throws<GarnetCommandException>(() => Garnet.Eval(script, parameters)).Code);
        Assert.Throws<GarnetCommandException>(() => Garnet.Eval(script, parameters));
        await Assert.ThrowsAsync<GarnetCommandException>(async () => await Garnet.EvalAsync(script, parameters));
        Assert.Equal("3", Garnet.GetString("runs"));
    }

    private static string Joined(RespValue reply) =>
        string.Join(' ', reply.Children.Select(static child => child.IsNull ? "" : child.AsString()));
}
