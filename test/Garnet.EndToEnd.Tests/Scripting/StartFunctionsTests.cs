// Libraries of functions that the options name: loaded at the start, after the data. Each test has its own folder; no endpoints, except
// for the command line and replicas.
using Garnet.EndToEnd.Tests.Replication;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Scripting;

public sealed class StartFunctionsTests : IDisposable
{
    private const string NotFound = "ERR Function not found";

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-functions-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Files_and_texts_are_loaded_before_the_first_call()
    {
        string file = Write("a library.lua", Library("a", "1"));
        await using GarnetServer server = await StartAsync(options =>
        {
            options.FunctionFiles = [file];
            options.FunctionLibraries = [Library("b", "2"), Library("c", "3")];
        });
        Assert.Equal((1, 2, 3), (Call(server, "a"), Call(server, "b"), Call(server, "c")));
        Assert.Equal(3, server.InProcess.Execute("FUNCTION", "LIST").Children.Count);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task They_take_the_place_of_those_of_the_data_and_stay_in_it(bool isLog)
    {
        await using (GarnetServer first = await StartAsync(Configure))
        {
            first.InProcess.Execute("FUNCTION", "LOAD", Library("a", "1"));
            first.InProcess.Execute("FUNCTION", "LOAD", Library("other", "7"));
            first.InProcess.Set("k", "v");
            await EndAsync(first);
        }

        await using (
            GarnetServer second = await StartAsync(options =>
            {
                Configure(options);
                options.FunctionLibraries = [Library("a", "2")];
            })
        )
        {
            Assert.Equal((2, 7), (Call(second, "a"), Call(second, "other")));
            Assert.Equal("v", second.InProcess.GetString("k"));
            await EndAsync(second);
        }

        await using GarnetServer third = await StartAsync(Configure);
        Assert.Equal((2, 7), (Call(third, "a"), Call(third, "other")));

        void Configure(GarnetOptions options) => options.AppendOnly = isLog;

        async Task EndAsync(GarnetServer server)
        {
            if (!isLog)
                server.InProcess.Execute("SAVE");
            await server.StopAsync();
        }
    }

    [Fact]
    public async Task A_library_that_the_data_contains_is_no_change()
    {
        await using (GarnetServer first = await StartAsync(static options => options.FunctionLibraries = [Library("a", "1")]))
        {
            Assert.Contains("\nrdb_changes_since_last_save:1\r", Persistence(first), StringComparison.Ordinal);
            first.InProcess.Execute("SAVE");
            await first.StopAsync();
        }

        await using GarnetServer second = await StartAsync(static options => options.FunctionLibraries = [Library("a", "1")]);
        Assert.Contains("\nrdb_changes_since_last_save:0\r", Persistence(second), StringComparison.Ordinal);
        Assert.Equal(1, Call(second, "a"));
    }

    [Fact]
    public async Task Errors_name_the_file_and_the_line()
    {
        string bad = Write("bad.lua", "#!lua name=bad\n\nlocal = 1\n");
        string message = await RefusedAsync(options => options.FunctionFiles = [bad]);
        Assert.StartsWith($"function-load {bad}: ", message, StringComparison.Ordinal);
        Assert.Contains($"{bad}:3: ", message, StringComparison.Ordinal);

        message = await RefusedAsync(static options => options.FunctionLibraries = ["#!lua name=bad\n\nserver.nothing()\n"]);
        Assert.StartsWith("FunctionLibraries[0]: Error registering functions: ", message, StringComparison.Ordinal);
        Assert.Contains("FunctionLibraries[0]:3: ", message, StringComparison.Ordinal);

        message = await RefusedAsync(static options => options.FunctionFiles = ["/no/such.lua"]);
        Assert.StartsWith("function-load /no/such.lua: cannot be read: ", message, StringComparison.Ordinal);
        message = await RefusedAsync(static options => options.FunctionLibraries = [Library("a", "1"), Library("a", "2")]);
        Assert.Equal("FunctionLibraries[1]: the library a is also in FunctionLibraries[0]", message);
        message = await RefusedAsync(static options => options.FunctionLibraries = ["return 1"]);
        Assert.Equal("FunctionLibraries[0]: Missing library metadata", message);
    }

    [Fact]
    public async Task A_file_longer_than_any_argument_may_be_is_refused()
    {
        string file = Write("long.lua", Library("a", "1") + new string('\n', 1 << 20));
        string message = await RefusedAsync(options =>
        {
            options.FunctionFiles = [file];
            options.ProtoMaxBulkLengthBytes = 1 << 20;
        });
        Assert.Equal($"function-load {file}: longer than proto-max-bulk-len, 1048576 bytes", message);
    }

    [Fact]
    public async Task A_name_that_another_library_of_the_data_has_is_an_error()
    {
        await using (GarnetServer first = await StartAsync(static _ => { }))
        {
            first.InProcess.Execute("FUNCTION", "LOAD", Library("a", "1"));
            first.InProcess.Execute("SAVE");
            await first.StopAsync();
        }

        string other = Library("a", "2").Replace("name=a", "name=other", StringComparison.Ordinal);
        string message = await RefusedAsync(options => options.FunctionLibraries = [other]);
        Assert.Equal("FunctionLibraries[0]: Function a already exists", message);
    }

    [Fact]
    public void A_replica_has_the_libraries_of_its_primary_only()
    {
        using var primary = ReplicationNode.Start(ReplicationNode.Ours, static options => options.FunctionLibraries = [Library("a", "1")]);
        using var replica = ReplicationNode.Start(
            ReplicationNode.Ours,
            options =>
            {
                options.ReplicaOf = FormattableString.Invariant($"127.0.0.1 {primary.Port}");
                options.FunctionLibraries = [Library("a", "2"), Library("own", "3")];
            }
        );
        replica.AwaitSync(primary);
        Assert.Equal(":1\r\n", replica.Call("FCALL", "a", "0"));
        Assert.Equal($"-{NotFound}\r\n", replica.Call("FCALL", "own", "0"));
    }

    [Fact]
    public void The_command_line_and_configuration_files_name_files()
    {
        string one = Write("one library.lua", Library("a", "1"));
        string two = Write("two.lua", Library("b", "2"));
        string three = Write("three.lua", Library("c", "3"));
        string configuration = Write("garnet.conf", $"function-load \"{one}\"\nfunction-load {two}\n");
        using (var server = GarnetProcess.StartIn(_folder, configuration))
        using (RespExchange client = server.Connect())
        {
            Assert.Equal(":1\r\n", client.ExecuteText("FCALL", "a", "0"));
            Assert.Equal(":2\r\n", client.ExecuteText("FCALL", "b", "0"));
            Assert.Contains($"\"{one}\" {two}\r\n", client.ExecuteText("CONFIG", "GET", "function-load"), StringComparison.Ordinal);
        }

        using (var server = GarnetProcess.StartIn(_folder, "--function-load", two, three))
        using (RespExchange client = server.Connect())
        {
            Assert.Equal(":2\r\n", client.ExecuteText("FCALL", "b", "0"));
            Assert.Equal(":3\r\n", client.ExecuteText("FCALL", "c", "0"));
        }
    }

    [Fact]
    public void The_command_and_its_check_report_a_wrong_file()
    {
        string bad = Write("bad.lua", "#!lua name=bad\nx = \n");
        foreach (
            string[] arguments in (string[][])
                [
                    ["--port", "0", "--unixsocket", Path.Combine(_folder, "s")],
                    [],
                ]
        )
        {
            ClientProcess run = GarnetProcess.Run([
                .. arguments.Length == 0 ? (string[])["--check"] : [],
                "--dir",
                _folder,
                "--function-load",
                bad,
                .. arguments,
            ]);
            Assert.Equal(1, run.ExitCode);
            Assert.Contains($"function-load {bad}: Error compiling function: {bad}:", run.Output, StringComparison.Ordinal);
        }
    }

    private static string Library(string name, string value) =>
        $"#!lua name={name}\nserver.register_function{{"
        + $"function_name='{name}', callback=function() return {value} end, flags={{'no-writes'}}}}";

    private static long Call(GarnetServer server, string function) => server.InProcess.Execute("FCALL", function, "0").AsInt64();

    private static string Persistence(GarnetServer server) => server.InProcess.Execute("INFO", "persistence").AsString()!;

    private string Write(string name, string text)
    {
        string path = Path.Combine(_folder, name);
        File.WriteAllText(path, text);
        return path;
    }

    private async Task<GarnetServer> StartAsync(Action<GarnetOptions> configure)
    {
        GarnetServer server = Build(configure);
        await server.StartAsync();
        return server;
    }

    private async Task<string> RefusedAsync(Action<GarnetOptions> configure)
    {
        await using GarnetServer server = Build(configure);
        return (await Assert.ThrowsAsync<OptionException>(() => server.StartAsync())).Message;
    }

    private GarnetServer Build(Action<GarnetOptions> configure)
    {
        GarnetOptions options = new() { Bind = [], Dir = _folder };
        configure(options);
        return new GarnetServerBuilder { Options = options }.Build();
    }
}
