// MODULE LOAD, LOADEX, UNLOAD and LIST, and everything that may be wrong with a file.
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Versioning;
using Garnet.BloomFilter;
using Garnet.Modules.Running;
using Garnet.Server.Composition;
using Garnet.Server.Tests.Extensions;
using Garnet.Testing;
using Garnet.TokenBucket;
using Xunit;

namespace Garnet.Server.Tests.Modules;

public sealed class ModuleLoaderTests : IDisposable
{
    private const string Failed = "-ERR Error loading the extension: ";

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-modules-").FullName;
    private readonly InProcessServer _server;

    public ModuleLoaderTests() => _server = NewServer();

    public void Dispose()
    {
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void A_module_is_loaded_used_and_unloaded()
    {
        string path = Copy(typeof(TokenBucketModule));
        Assert.Equal("*0\r\n", _server.Call("MODULE", "LIST"));
        Assert.StartsWith("-ERR unknown command 'LIM.TAKE'", _server.Call("LIM.TAKE", "k", "5", "1"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "LOAD", path, "a", "b c"));
        Assert.Equal("*3\r\n:1\r\n:4\r\n:0\r\n", _server.Call("LIM.TAKE", "k", "5", "1"));
        Assert.Equal(
            $"*1\r\n*8\r\n$4\r\nname\r\n$6\r\nlimits\r\n$3\r\nver\r\n:1\r\n$4\r\npath\r\n${path.Length}\r\n{path}\r\n$4\r\nargs\r\n*2\r\n$1\r\na\r\n$3\r\nb c\r\n",
            _server.Call("MODULE", "LIST")
        );
        Assert.Contains("module:name=limits,ver=1,api=1,", _server.Call("INFO", "modules"), StringComparison.Ordinal);
        Assert.Equal(Failed + "a module named 'limits' is loaded already\r\n", _server.Call("MODULE", "LOAD", path));
        Assert.StartsWith("*3\r\n", _server.Call("lIM.tAKE", "k", "5", "1"), StringComparison.Ordinal);
        Assert.StartsWith("-ERR unknown command", _server.Call("LIM\u000ETAKE", "k", "5", "1"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "UNLOAD", "limits"));
        Assert.StartsWith("-ERR unknown command 'LIM.TAKE'", _server.Call("LIM.TAKE", "k", "5", "1"), StringComparison.Ordinal);
        Assert.Equal("-ERR Error unloading module: no such module with that name\r\n", _server.Call("MODULE", "UNLOAD", "limits"));
    }

    [Fact]
    public void A_command_in_the_same_pipeline_or_transaction_knows_the_module()
    {
        string path = Copy(typeof(TokenBucketModule));
        _server.Client.Send([.. InProcessClient.Request("MODULE", "LOAD", path), .. InProcessClient.Request("LIM.TAKE", "k", "5", "1")]);
        Assert.Equal("+OK\r\n*3\r\n:1\r\n:4\r\n:0\r\n", _server.Client.Receive());
        _server.Call("MULTI");
        _server.Call("LIM.TAKE", "k", "5", "1");
        Assert.Equal("+OK\r\n", _server.Connect().Call("MODULE", "UNLOAD", "limits"));
        Assert.Equal("*1\r\n-ERR the module 'limits' of this command was unloaded\r\n", _server.Call("EXEC"));
    }

    [Fact]
    public void Options_are_given_read_and_changed()
    {
        string path = Copy(typeof(TokenBucketModule));
        Assert.Equal(
            Failed + "limits.max-capacity 0: argument must be between 1 and 9223372036854775807 inclusive\r\n",
            _server.Call("MODULE", "LOADEX", path, "CONFIG", "limits.max-capacity", "0")
        );
        Assert.Equal(
            Failed + "the module has no option 'limits.other'\r\n",
            _server.Call("MODULE", "LOADEX", path, "CONFIG", "limits.other", "0")
        );
        Assert.Equal(Failed + "the module has no option 'port'\r\n", _server.Call("MODULE", "LOADEX", path, "CONFIG", "port", "0"));
        Assert.Equal("-ERR syntax error\r\n", _server.Call("MODULE", "LOADEX", path, "CONFIG", "limits.max-capacity"));
        Assert.Equal("*0\r\n", _server.Call("MODULE", "LIST"));
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "LOADEX", path, "CONFIG", "limits.max-capacity", "7", "ARGS", "x"));
        Assert.StartsWith("-ERR capacity", _server.Call("LIM.TAKE", "k", "8", "1"), StringComparison.Ordinal);
        Assert.Equal("*2\r\n$19\r\nlimits.max-capacity\r\n$1\r\n7\r\n", _server.Call("CONFIG", "GET", "limits.*"));
        Assert.Equal("+OK\r\n", _server.Call("CONFIG", "SET", "limits.max-capacity", "9", "maxmemory-samples", "6"));
        Assert.StartsWith("*3\r\n", _server.Call("LIM.TAKE", "k", "8", "1"), StringComparison.Ordinal);
        Assert.Equal(
            "-ERR CONFIG SET failed (possibly related to argument 'limits.max-capacity') - argument couldn't be parsed into an integer\r\n",
            _server.Call("CONFIG", "SET", "maxmemory-samples", "7", "limits.max-capacity", "x")
        );
        Assert.Equal("*2\r\n$17\r\nmaxmemory-samples\r\n$1\r\n6\r\n", _server.Call("CONFIG", "GET", "maxmemory-samples"));
    }

    [Fact]
    public void A_file_that_is_no_module_is_refused_with_the_reason()
    {
        Assert.StartsWith(
            Failed + "/no/such.dll cannot be read: ",
            _server.Call("MODULE", "LOAD", "/no/such.dll"),
            StringComparison.Ordinal
        );
        string text = Path.Combine(_folder, "text.dll");
        File.WriteAllText(text, "This is not an assembly.");
        Assert.Equal($"{Failed}{text} is not a .NET assembly\r\n", _server.Call("MODULE", "LOAD", text));
        string truncated = Path.Combine(_folder, "truncated.dll");
        File.WriteAllBytes(truncated, File.ReadAllBytes(typeof(TokenBucketModule).Assembly.Location)[..3000]);
        Assert.StartsWith(Failed + truncated, _server.Call("MODULE", "LOAD", truncated), StringComparison.Ordinal);
        Assert.StartsWith(
            $"{Failed}{typeof(Assert).Assembly.Location} contains no module: it does not refer to ",
            _server.Call("MODULE", "LOAD", typeof(Assert).Assembly.Location),
            StringComparison.Ordinal
        );
        Assert.Equal("*0\r\n", _server.Call("MODULE", "LIST"));
    }

    [Fact]
    public void An_assembly_for_another_framework_or_API_is_refused_with_both_versions()
    {
        string framework = Emit("future", ".NETCoreApp,Version=v99.0", "1");
        Assert.Equal(
            $"{Failed}{framework} was compiled for .NETCoreApp,Version=v99.0, and this server runs on .NET {Environment.Version.ToString(2)}\r\n",
            _server.Call("MODULE", "LOAD", framework)
        );
        string old = Emit("old", ".NETFramework,Version=v4.8", "1");
        Assert.Contains("was compiled for .NETFramework,Version=v4.8", _server.Call("MODULE", "LOAD", old), StringComparison.Ordinal);
        string api = Emit("api", ".NETCoreApp,Version=v8.0", "2");
        Assert.StartsWith(
            $"{Failed}{api} was compiled for version 2 of the module API, and this server has version 1: ",
            _server.Call("MODULE", "LOAD", api),
            StringComparison.Ordinal
        );
        string none = Emit("none", ".NETCoreApp,Version=v10.0", "1");
        Assert.StartsWith($"{Failed}{none} contains no module: a class", _server.Call("MODULE", "LOAD", none), StringComparison.Ordinal);
    }

    [Fact]
    public void A_missing_dependency_is_named()
    {
        PersistedAssemblyBuilder missing = new(new AssemblyName("Missing.Library"), typeof(object).Assembly);
        Type inMissing = missing
            .DefineDynamicModule("m")
            .DefineType("InMissing", TypeAttributes.Public | TypeAttributes.Class)
            .CreateType();
        string path = Emit("lacking", ".NETCoreApp,Version=v10.0", "1", inMissing);
        Assert.Equal(
            $"{Failed}{path} cannot be loaded: lacking needs the assembly Missing.Library, version 0.0.0.0, which is neither beside the module nor part of the server\r\n",
            _server.Call("MODULE", "LOAD", path)
        );
    }

    [Fact]
    public void A_taken_command_name_is_refused_and_nothing_remains()
    {
        using InProcessServer server = NewServer(static options => { }, typeof(TokenBucketModule));
        string path = Copy(typeof(TokenBucketModule));
        Assert.Equal(Failed + "a module named 'limits' is loaded already\r\n", server.Call("MODULE", "LOAD", path));
        Assert.Equal("-ERR Error unloading module: the module is part of the application\r\n", server.Call("MODULE", "UNLOAD", "limits"));
    }

    [Fact]
    public void Taken_names_of_commands_and_types_are_refused_and_nothing_remains()
    {
        ServerExtensions taken = new() { Commands = [TallyCommands.NewGet("BLOOM.ADD")], ModuleFormat = AssemblyModules.Instance };
        ServerExtensions takenType = new() { Types = [new OtherFilter()], ModuleFormat = AssemblyModules.Instance };
        string path = Copy(typeof(BloomFilterModule));
        foreach (
            (ServerExtensions extensions, string problem) in ((ServerExtensions, string)[])
                [(taken, "command 'bloom.add' is registered twice"), (takenType, "there is a type named 'bloom-001' already")]
        )
        {
            using InProcessServer server = new(static options => options.EnableModuleCommand = CommandAccess.Yes, extensions: extensions);
            for (int attempt = 0; attempt < 2; attempt++)
                Assert.Equal($"{Failed}{problem}\r\n", server.Call("MODULE", "LOAD", path));
            Assert.Equal("*0\r\n", server.Call("MODULE", "LIST"));
            Assert.StartsWith("-ERR unknown command", server.Call("BLOOM.EXISTS", "f", "x"), StringComparison.Ordinal);
            Assert.Equal(1024, server.Server.Commands.FreeIds);
        }
    }

    private sealed class OtherFilter() : Store.DataTypes.CustomType("bloom-001");

    [Fact]
    public void A_module_is_not_unloaded_while_its_type_has_keys()
    {
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "LOAD", Copy(typeof(BloomFilterModule))));
        Assert.Equal("+OK\r\n", _server.Call("BLOOM.RESERVE", "f", "0.01", "100"));
        Assert.Equal(
            "-ERR Error unloading module: the module's types have keys. Delete them before unloading\r\n",
            _server.Call("MODULE", "UNLOAD", "bloom")
        );
        Assert.Equal(":1\r\n", _server.Call("BLOOM.ADD", "f", "x"));
        _server.Call("DEL", "f");
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "UNLOAD", "bloom"));
    }

    // Whatever removes or replaces a key, in whatever database.
    [Fact]
    public void Keys_that_are_gone_do_not_hold_a_module_back()
    {
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "LOAD", Copy(typeof(BloomFilterModule))));
        foreach (string key in (string[])["set", "expired", "renamed", "replaced", "copied", "flushed"])
            Assert.Equal("+OK\r\n", _server.Call("BLOOM.RESERVE", key, "0.01", "10000"));
        _server.Call("SET", "set", "x");
        _server.Call("PEXPIRE", "expired", "10");
        _server.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(":0\r\n", _server.Call("EXISTS", "expired"));
        _server.Call("RENAME", "renamed", "replaced");
        _server.Call("COPY", "copied", "copied", "DB", "3");
        Assert.StartsWith("-ERR", _server.Call("MODULE", "UNLOAD", "bloom"), StringComparison.Ordinal);
        Assert.Equal(4, _server.Server.Modules.All[0].Types[0].KeyCount);
        _server.Call("DEL", "replaced");
        _server.Call("FLUSHDB");
        Assert.StartsWith("-ERR", _server.Call("MODULE", "UNLOAD", "bloom"), StringComparison.Ordinal);
        _server.Call("SELECT", "3");
        _server.Call("FLUSHDB");
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "UNLOAD", "bloom"));
    }

    [Fact]
    public void Users_rules_about_its_commands_follow_it()
    {
        string path = Copy(typeof(TokenBucketModule));
        _server.Call("ACL", "SETUSER", "all", "on", "nopass", "~*", "+@all", "-get");
        _server.Call("ACL", "SETUSER", "writer", "on", "nopass", "~*", "+@write");
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "LOAD", path));
        _server.Call("ACL", "SETUSER", "one", "on", "nopass", "~*", "+lim.take");
        foreach (string name in (string[])["all", "writer", "one"])
        {
            InProcessClient user = _server.Connect();
            user.Call("AUTH", name, "any");
            Assert.StartsWith("*3\r\n", user.Call("LIM.TAKE", "k", "5", "1"), StringComparison.Ordinal);
            Assert.StartsWith("-NOPERM", user.Call("GET", "k"), StringComparison.Ordinal);
        }

        Assert.Equal(
            "-ERR Error unloading module: one or more ACL users reference commands from this module (+lim.take). Remove those ACL rules before unloading\r\n",
            _server.Call("MODULE", "UNLOAD", "limits")
        );
        _server.Call("ACL", "DELUSER", "one");
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "UNLOAD", "limits"));
        Assert.Contains(
            "user all on nopass ~* &* +@all -get",
            _server.Call("ACL", "LIST").Replace("resetchannels", "&*", StringComparison.Ordinal),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_module_is_a_category_of_its_commands()
    {
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "LOAD", Copy(typeof(TokenBucketModule))));
        Assert.EndsWith("$6\r\nlimits\r\n", _server.Call("ACL", "CAT"), StringComparison.Ordinal);
        Assert.Equal("*1\r\n$8\r\nlim.take\r\n", _server.Call("ACL", "CAT", "Limits"));
        Assert.Equal("*1\r\n$8\r\nlim.take\r\n", _server.Call("COMMAND", "LIST", "FILTERBY", "ACLCAT", "limits"));
        Assert.Equal("+OK\r\n", _server.Call("ACL", "SETUSER", "one", "on", "nopass", "~*", "+@limits"));
        InProcessClient user = _server.Connect();
        user.Call("AUTH", "one", "any");
        Assert.StartsWith("*3\r\n", user.Call("LIM.TAKE", "k", "5", "1"), StringComparison.Ordinal);
        Assert.StartsWith("-NOPERM", user.Call("GET", "k"), StringComparison.Ordinal);
        Assert.Contains("(+@limits)", _server.Call("MODULE", "UNLOAD", "limits"), StringComparison.Ordinal);
        _server.Call("ACL", "DELUSER", "one");
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "UNLOAD", "limits"));
        Assert.StartsWith("-ERR", _server.Call("ACL", "SETUSER", "two", "+@limits"), StringComparison.Ordinal);
        Assert.Equal("-ERR Unknown category 'limits'\r\n", _server.Call("ACL", "CAT", "limits"));
    }

    [Fact]
    public void CONFIG_REWRITE_writes_modules_and_their_options()
    {
        string file = Path.Combine(_folder, "garnet.conf");
        string path = Copy(typeof(TokenBucketModule));
        File.WriteAllText(file, "# before\nlimits.max-capacity 3\nenable-module-command yes\nother.option 1\n");
        using (
            InProcessServer server = new(
                static options => options.EnableModuleCommand = CommandAccess.Yes,
                extensions: new ServerExtensions { ModuleFormat = AssemblyModules.Instance },
                file: file
            )
        )
        {
            Assert.Equal("+OK\r\n", server.Call("MODULE", "LOAD", path, "two words"));
            Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "limits.max-capacity", "9"));
            Assert.Equal("+OK\r\n", server.Call("CONFIG", "REWRITE"));
            string[] lines = File.ReadAllLines(file);
            Assert.Equal("limits.max-capacity 9", lines[1]);
            Assert.Contains($"loadmodule {path} \"two words\"", lines);
            Assert.DoesNotContain(lines, static line => line.Contains("other", StringComparison.Ordinal));
            Assert.Equal("+OK\r\n", server.Call("MODULE", "UNLOAD", "limits"));
            Assert.Equal("+OK\r\n", server.Call("CONFIG", "REWRITE"));
        }

        Assert.DoesNotContain(
            File.ReadAllLines(file),
            static line => line.Contains("limits", StringComparison.Ordinal) || line.StartsWith("loadmodule", StringComparison.Ordinal)
        );
    }

    [Theory]
    [InlineData(CommandAccess.No, false)]
    [InlineData(CommandAccess.Yes, true)]
    [InlineData(CommandAccess.Local, true)]
    public void The_option_decides_who_may_load(CommandAccess access, bool isAllowed)
    {
        using InProcessServer server = NewServer(options => options.EnableModuleCommand = access);
        string reply = server.Call("MODULE", "LOAD", Copy(typeof(TokenBucketModule)));
        Assert.Equal(
            isAllowed
                ? "+OK\r\n"
                : "-ERR MODULE command not allowed. If the enable-module-command option is set to \"local\", you can run it from a local connection, otherwise you need to set this option in the configuration file, and then restart the server.\r\n",
            reply
        );
    }

    [Fact]
    public void With_a_folder_only_files_in_it_are_loaded()
    {
        string inside = Copy(typeof(TokenBucketModule));
        string other = Directory.CreateTempSubdirectory("garnet-modules-").FullName;
        string outside = Path.Combine(other, Path.GetFileName(inside));
        File.Copy(inside, outside);
        string link = Path.Combine(_folder, "link.dll");
        File.CreateSymbolicLink(link, outside);
        using InProcessServer server = NewServer(options => options.ModulesDir = _folder);
        foreach (string path in (string[])[outside, link, $"../{Path.GetFileName(other)}/{Path.GetFileName(inside)}"])
        {
            string refused = $"{Failed}{path} is not in {_folder}, from where modules may be loaded (modules-dir)\r\n";
            Assert.Equal(refused, server.Call("MODULE", "LOAD", path));
        }

        Assert.Equal("+OK\r\n", server.Call("MODULE", "LOAD", Path.GetFileName(inside)));
        Directory.Delete(other, recursive: true);
    }

    [Fact]
    public void Modules_of_the_configuration_are_loaded_first()
    {
        string path = Copy(typeof(TokenBucketModule));
        using InProcessServer server = NewServer(options =>
        {
            options.EnableModuleCommand = CommandAccess.No;
            options.Modules = [$"{path} one \"two words\""];
            options.ModuleSettings = new Dictionary<string, string> { ["limits.max-capacity"] = "3" };
        });
        Assert.Contains("two words", server.Call("MODULE", "LIST"), StringComparison.Ordinal);
        Assert.StartsWith("-ERR capacity", server.Call("LIM.TAKE", "k", "4", "1"), StringComparison.Ordinal);
        OptionException missing = Assert.Throws<OptionException>(() => NewServer(static options => options.Modules = ["/no/such.dll"]));
        Assert.StartsWith("loadmodule /no/such.dll: /no/such.dll cannot be read: ", missing.Message, StringComparison.Ordinal);
        OptionException unknown = Assert.Throws<OptionException>(() =>
            NewServer(static options => options.ModuleSettings = new Dictionary<string, string> { ["other.x"] = "1" })
        );
        Assert.Equal("unknown option 'other.x': no module has it", unknown.Message);
    }

    [LinuxFact]
    public void A_pipe_in_place_of_a_file_is_refused()
    {
        string path = Path.Combine(_folder, "pipe.dll");
        using (var making = System.Diagnostics.Process.Start("mkfifo", path))
            making.WaitForExit();
        string reply = _server.Call("MODULE", "LOAD", path);
        Assert.StartsWith($"-ERR Error loading the extension: {path} cannot be read: ", reply, StringComparison.Ordinal);
    }

    [Fact]
    public void Nothing_remains_of_a_module_that_was_unloaded()
    {
        string path = Copy(typeof(TokenBucketModule));
        List<WeakReference> contexts = [];
        for (int rounds = FaultScale.Count(30, 1000); rounds > 0; rounds--)
            contexts.Add(LoadUseUnload(path));

        for (int attempt = 0; attempt < 20 && contexts.Exists(static context => context.IsAlive); attempt++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.DoesNotContain(contexts, static context => context.IsAlive);
        Assert.DoesNotContain("lim.take", _server.Call("COMMAND", "LIST"), StringComparison.Ordinal);
        Assert.True(_server.Server.Commands.FreeIds >= 1024);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference LoadUseUnload(string path)
    {
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "LOAD", path));
        WeakReference assemblies = new(_server.Server.Modules.All[0].Assemblies);
        Assert.StartsWith("*3\r\n", _server.Call("LIM.TAKE", "k", "5000", "1"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", _server.Call("MODULE", "UNLOAD", "limits"));
        return assemblies;
    }

    private static InProcessServer NewServer(Action<GarnetOptions>? configure = null, params Type[] embedded) =>
        new(
            options =>
            {
                options.EnableModuleCommand = CommandAccess.Yes;
                configure?.Invoke(options);
            },
            extensions: new ServerExtensions { ModuleFormat = AssemblyModules.Instance, Modules = ModuleServer.With(embedded).Modules }
        );

    private string Copy(Type module)
    {
        string path = Path.Combine(_folder, Path.GetFileName(module.Assembly.Location));
        File.Copy(module.Assembly.Location, path, overwrite: true);
        return path;
    }

    // An assembly with the attributes that the loader reads, whose type derives from another.
    private string Emit(string name, string framework, string apiVersion, Type? parent = null)
    {
        PersistedAssemblyBuilder assembly = new(new AssemblyName(name), typeof(object).Assembly);
        Type[] text = [typeof(string)];
        assembly.SetCustomAttribute(new CustomAttributeBuilder(typeof(TargetFrameworkAttribute).GetConstructor(text)!, [framework]));
        assembly.SetCustomAttribute(
            new CustomAttributeBuilder(
                typeof(AssemblyMetadataAttribute).GetConstructor([typeof(string), typeof(string)])!,
                ["Garnet.Modules.ApiVersion", apiVersion]
            )
        );
        assembly
            .DefineDynamicModule("m")
            .DefineType("Type", TypeAttributes.Public | TypeAttributes.Class, parent ?? typeof(object))
            .CreateType();
        string path = Path.Combine(_folder, name + ".dll");
        assembly.Save(path);
        return path;
    }
}
