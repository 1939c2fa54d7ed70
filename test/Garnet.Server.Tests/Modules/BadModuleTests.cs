// A module that breaks every rule: each fault has a reply or a line in the log, and the server goes on.
using System.Runtime.CompilerServices;
using Garnet.Modules.Running;
using Garnet.Server.Composition;
using Garnet.Server.Modules;
using Garnet.Server.Tests.Commands;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Modules;

public sealed class BadModuleTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-modules-").FullName;
    private readonly InProcessServer _server;
    private readonly string _path;

    public BadModuleTests()
    {
        _server = new InProcessServer(
            options =>
            {
                options.EnableModuleCommand = CommandAccess.Yes;
                options.EnableDebugCommand = CommandAccess.Yes;
                options.Dir = _folder;
            },
            recordEffects: true,
            extensions: new ServerExtensions { ModuleFormat = AssemblyModules.Instance }
        );
        _path = Path.Combine(_folder, "Garnet.BadModule.dll");
        File.Copy(typeof(BadModule.BadModule).Assembly.Location, _path);
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "LOAD", _path));
    }

    public void Dispose()
    {
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void An_exception_is_the_reply_and_what_was_changed_is_replicated()
    {
        Assert.Equal("-ERR InvalidDataException in command 'bad.throw': in a command\r\n", _server.Call("BAD.THROW", "k"));
        Assert.Equal("$7\r\nchanged\r\n", _server.Call("GET", "k"));
        Assert.Equal(["BAD.THROW k"], _server.Effects.Take());
    }

    [Fact]
    public void There_is_always_one_reply()
    {
        Assert.Equal("-ERR the command 'bad.none' did not reply\r\n", _server.Call("BAD.NONE"));
        Assert.Equal("+OK\r\n", _server.Call("BAD.TWO"));
        Assert.Equal(
            "*3\r\n:1\r\n-ERR the command 'bad.short' did not reply\r\n-ERR the command 'bad.short' did not reply\r\n",
            _server.Call("BAD.SHORT")
        );
        Assert.Equal("-ERR InvalidDataException in command 'bad.fail': in the start\r\n", Later.Receive(Send("BAD.FAIL", "0")));
        const string Missing = "-ERR the command 'bad.fail' did not reply\r\n";
        Assert.Equal("*2\r\n" + Missing + Missing, Later.Receive(Send("BAD.FAIL", "1")));
        Assert.Equal("-ERR InvalidDataException in command 'bad.fail': in the reply\r\n", Later.Receive(Send("BAD.FAIL", "2")));
        Assert.Equal(Missing, Later.Receive(Send("BAD.FAIL", "3")));
        Assert.Equal("+PONG\r\n", Later.Receive(Send("PING")));
    }

    [Fact]
    public void A_command_that_only_reads_cannot_write()
    {
        Assert.StartsWith(
            "-ERR InvalidOperationException in command 'bad.write'",
            _server.Call("BAD.WRITE", "k"),
            StringComparison.Ordinal
        );
        Assert.Equal(":0\r\n", _server.Call("EXISTS", "k"));
    }

    [Fact]
    public void Faults_in_callbacks_are_counted()
    {
        Assert.StartsWith("-ERR CONFIG SET failed", _server.Call("CONFIG", "SET", "bad.option", "bad"), StringComparison.Ordinal);
        Assert.Contains("# bad_section\r\n", _server.Call("INFO", "everything"), StringComparison.Ordinal);
        _server.Call("SET", "k", "v");
        _server.Clock.Advance(TimeSpan.FromSeconds(1.5));

        // The event at the load, that of the key, the timer, INFO and the check.
        Eventually.True(() => _server.Server.Modules.All[0].Exceptions >= 5);
        Assert.Equal("+PONG\r\n", _server.Call("PING"));
    }

    [Fact]
    public void A_value_that_cannot_be_saved_makes_the_snapshot_fail_and_nothing_else()
    {
        Assert.Equal("+OK\r\n", _server.Call("BAD.VALUE", "k"));
        Assert.StartsWith("-ERR the type 'bad-type1' cannot save a value", _server.Call("DUMP", "k"), StringComparison.Ordinal);
        Assert.StartsWith("-ERR the type 'bad-type1' cannot save a value", _server.Call("DEBUG", "OBJECT", "k"), StringComparison.Ordinal);
        Assert.StartsWith(
            "-ERR the type 'bad-type1' cannot save a value",
            Later.Receive(Send("MIGRATE", "127.0.0.1", "1", "k", "0", "1000")),
            StringComparison.Ordinal
        );
        // The session may still be on its way back from the threads of MIGRATE and SAVE.
        Assert.Equal(":1\r\n", Later.Receive(Send("EXISTS", "k")));
        Assert.StartsWith("-ERR", Later.Receive(Send("SAVE")), StringComparison.Ordinal);
        Assert.Equal(":1\r\n", Later.Receive(Send("COPY", "k", "other")));
        Assert.Equal(":2\r\n", Later.Receive(Send("DEL", "k", "other")));
        Assert.Equal("+OK\r\n", Later.Receive(Send("SAVE")));
    }

    [Fact]
    public void Filters_and_hooks_come_and_go_with_the_module_also_within_a_pipeline()
    {
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "UNLOAD", "bad"));
        const string Refused = "-ERR InvalidDataException in a command filter of the module 'bad'\r\n";
        const string Undecided = "-ERR the module 'bad' failed to decide about the login\r\n";
        byte[] ping = InProcessClient.Request("PING");
        byte[] login = InProcessClient.Request("AUTH", "default", "x");
        byte[] load = InProcessClient.Request("MODULE", "LOAD", _path, "filter");
        byte[] unload = InProcessClient.Request("MODULE", "UNLOAD", "bad");
        for (int round = 0; round < 2; round++)
        {
            _server.Client.Send([.. ping, .. load, .. ping, .. login, .. unload, .. ping, .. login]);
            Assert.Equal("+PONG\r\n+OK\r\n" + Refused + Undecided + "+OK\r\n+PONG\r\n+OK\r\n", _server.Client.Receive());
        }
    }

    [Fact]
    public void A_dependency_that_is_lost_after_the_load_is_an_error_of_the_command()
    {
        Assert.StartsWith("-ERR FileNotFoundException in command 'bad.lose'", _server.Call("BAD.LOSE"), StringComparison.Ordinal);
        Assert.Equal("+PONG\r\n", _server.Call("PING"));
    }

    [Fact]
    public void Work_that_goes_on_during_the_unload_ends_without_an_exception()
    {
        LoadedModule module = _server.Server.Modules.All[0];
        // The event of the load, which throws.
        Eventually.True(() => module.Worker.IsIdle && module.Exceptions == 1);
        Assert.Equal("+OK\r\n", _server.Call("BAD.LATE"));
        _server.Clock.Advance(TimeSpan.FromMilliseconds(1));
        Eventually.True(() => module.Worker.RunningSince != 0);
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "UNLOAD", "bad"));
        Eventually.True(() => module.Worker.RunningSince == 0);
        Assert.Equal(1, module.Exceptions);
    }

    [Fact]
    public void A_load_that_fails_leaves_nothing()
    {
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "UNLOAD", "bad"));
        Assert.Equal(
            "-ERR Error loading the extension: the module 'bad' failed to load: InvalidDataException: in Load\r\n",
            _server.Call("MODULE", "LOAD", _path, "load")
        );
        Assert.Equal("*0\r\n", _server.Call("MODULE", "LIST"));
        Assert.StartsWith("-ERR unknown command", _server.Call("BAD.NONE"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "LOAD", _path));
    }

    [Fact]
    public void Nothing_remains_after_many_rounds()
    {
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "UNLOAD", "bad"));
        List<WeakReference> contexts = [];
        for (int rounds = FaultScale.Count(20, 1000); rounds > 0; rounds--)
            contexts.Add(LoadUseUnload());
        // Threads of the pool may hold what they ran last for a moment.
        Eventually.True(() =>
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            return !contexts.Exists(static context => context.IsAlive);
        });
        Assert.True(_server.Server.Commands.FreeIds >= 1024);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference LoadUseUnload()
    {
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "LOAD", _path));
        WeakReference assemblies = new(_server.Server.Modules.All[0].Assemblies);
        _server.Call("SET", "k", "v");
        _server.Call("BAD.THROW", "k");
        _server.Call("BAD.VALUE", "v");
        _server.Call("DEL", "v");
        Assert.Equal(":1\r\n", _server.Call("BAD.ALLOCATE", "1"));
        _server.Clock.Advance(TimeSpan.FromSeconds(1.1));
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "UNLOAD", "bad"));
        return assemblies;
    }

    private InProcessClient Send(params string[] command)
    {
        _server.Client.Send(InProcessClient.Request(command));
        return _server.Client;
    }
}
