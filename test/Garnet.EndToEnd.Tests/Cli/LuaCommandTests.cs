// garnet --lua on good and wrong scripts and libraries. Each test has its own folder.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

public sealed class LuaCommandTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-lua-").FullName;

    [Theory]
    [InlineData("return 1")]
    [InlineData("return redis.call('GET', KEYS[1])")]
    [InlineData("return server.call('mset', unpack(ARGV))")]
    [InlineData("local name = 'nosuch' return redis.call(name)")]
    [InlineData("return redis.call('object', 'encoding', KEYS[1]) .. nosuch.call('x')")]
    [InlineData("#!lua flags=no-writes\nreturn redis.call('get', ...)")]
    [InlineData("#!lua name=one\nredis.register_function('f', function(k) return redis.call('get', k[1]) end)")]
    public void Good_files_have_no_problems(string source)
    {
        ClientProcess check = GarnetProcess.Run("--lua", Write(source));
        Assert.Equal($"{Write(source)}: good\n", check.Output);
        Assert.Equal(0, check.ExitCode);
    }

    [Theory]
    [InlineData("local x =\nreturn", 2, "unexpected symbol near 'return'", "return")]
    [InlineData("\n\nreturn redis.call('nosuch', 1)", 3, "there is no command 'nosuch'", "return redis.call('nosuch', 1)")]
    [InlineData("return 1,\n server.pcall('get')", 2, "wrong number of arguments for 'get'", "server.pcall('get')")]
    [InlineData("redis.call('get', 'a', 'b', unpack(ARGV))", 1, "wrong number of arguments for 'get'", null)]
    [InlineData("redis.call('object', 'nosuch', 'a')", 1, "'object' has no subcommand 'nosuch'", null)]
    [InlineData("redis.call('subscribe', 'a')", 1, "'subscribe' is not allowed in scripts", null)]
    [InlineData(
        "#!lua flags=no-writes\nredis.call('del', 'a')",
        2,
        "'del' writes, but the script declares no-writes",
        "redis.call('del', 'a')"
    )]
    [InlineData("#!lua flags=bogus\nreturn 1", 1, "Unexpected flag in script shebang: bogus", "#!lua flags=bogus")]
    [InlineData("#!lua name=a-b\nreturn 1", 1, "Library names can only contain", null)]
    [InlineData("#!lua name=one\nlocal function f() redis.call('get') end", 2, "wrong number of arguments for 'get'", null)]
    public void Problems_are_reported_with_their_lines(string source, int line, string problem, string? text)
    {
        string file = Write(source);
        ClientProcess check = GarnetProcess.Run("--lua", file);
        Assert.StartsWith($"{file}:{line}: {problem}", check.Output, StringComparison.Ordinal);
        if (text is not null)
            Assert.Equal($"{file}:{line}: {problem}: {text}\n", check.Output);
        Assert.Equal(1, check.ExitCode);
    }

    [Fact]
    public void A_file_that_cannot_be_read_is_named()
    {
        ClientProcess check = GarnetProcess.Run("--lua", Path.Combine(_folder, "none.lua"));
        Assert.Contains("none.lua: cannot be read: ", check.Output, StringComparison.Ordinal);
        Assert.Equal(1, check.ExitCode);
        Assert.Contains("--lua needs one or more files", GarnetProcess.Run("--lua").Output, StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string Write(string source)
    {
        string file = Path.Combine(_folder, "script.lua");
        File.WriteAllText(file, source);
        return file;
    }
}
