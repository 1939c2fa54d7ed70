// Changes to a running server's settings: all or nothing, and written back to the file. One directory per test.
using Garnet.Server.Configuration;
using Garnet.Server.Startup;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Configuration;

public sealed class ServerConfigurationTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _directory = MemoryFolder.Create("garnet-configuration-");
    private readonly ServerConfiguration _configuration = new(new GarnetOptions());

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Fact]
    public async Task Several_options_change_at_once()
    {
        Assert.Null(await _configuration.SetAsync([("timeout", "5"), ("MaxMemory", "1mb")]));
        Assert.Equal((5, 1L << 20), (_configuration.Current.TimeoutSeconds, _configuration.Current.MaxMemoryBytes));
    }

    [Fact]
    public async Task One_invalid_value_undoes_all()
    {
        Assert.Equal(
            "CONFIG SET failed (possibly related to argument 'maxclients') - argument must be between 1 and 4294967295 inclusive",
            await _configuration.SetAsync([("timeout", "5"), ("MAXCLIENTS", "0")])
        );
        Assert.Equal(0, _configuration.Current.TimeoutSeconds);
    }

    [Fact]
    public async Task Unknown_immutable_protected_and_repeated_options_are_refused()
    {
        Assert.Equal(
            "Unknown option or number of arguments for CONFIG SET - 'Foo'",
            await _configuration.SetAsync([("timeout", "5"), ("Foo", "1")])
        );
        Assert.Equal(
            "CONFIG SET failed (possibly related to argument 'DATABASES') - can't set immutable config",
            await _configuration.SetAsync([("DATABASES", "1")])
        );
        Assert.Equal(
            "CONFIG SET failed (possibly related to argument 'dir') - can't set protected config",
            await _configuration.SetAsync([("dir", "/")])
        );
        Assert.Equal(
            "CONFIG SET failed (possibly related to argument 'TIMEOUT') - duplicate parameter",
            await _configuration.SetAsync([("timeout", "1"), ("TIMEOUT", "2")])
        );
        Assert.Equal(0, _configuration.Current.TimeoutSeconds);
    }

    [Fact]
    public async Task Protected_options_change_only_with_permission()
    {
        Assert.Null(await _configuration.SetAsync([("dbfilename", "other.rdb")], mayProtected: true));
        Assert.Equal("other.rdb", _configuration.Current.DbFileName);
        Assert.Equal(
            "CONFIG SET failed (possibly related to argument 'databases') - can't set immutable config",
            await _configuration.SetAsync([("databases", "1")], mayProtected: true)
        );
    }

    [Fact]
    public async Task A_check_can_refuse_and_a_reaction_sees_only_real_changes()
    {
        var seen = new List<int>();
        _configuration.Check("timeout", options => options.TimeoutSeconds == 13 ? "unlucky" : null);
        _configuration.OnChange("timeout", options => seen.Add(options.TimeoutSeconds));
        Assert.Equal(
            "CONFIG SET failed (possibly related to argument 'timeout') - unlucky",
            await _configuration.SetAsync([("timeout", "13")])
        );
        Assert.Null(await _configuration.SetAsync([("timeout", "4")]));
        Assert.Null(await _configuration.SetAsync([("timeout", "4")]));
        Assert.Null(await _configuration.SetAsync([("maxclients", "4")]));
        Assert.Equal([4], seen);
    }

    [Fact]
    public async Task Failed_changes_are_undone_and_slow_ones_awaited()
    {
        var applied = new List<string>();
        var slow = new TaskCompletionSource<string?>();
        _configuration.Apply(
            ["timeout"],
            options =>
            {
                applied.Add($"timeout {options.TimeoutSeconds}");
                return Task.FromResult<string?>(null);
            }
        );
        _configuration.Apply(
            ["port", "bind"],
            options =>
            {
                applied.Add($"port {options.Port}");
                return slow.Task;
            }
        );
        Task<string?> set = _configuration.SetAsync([("timeout", "5"), ("PORT", "7000"), ("bind", "::1")]).AsTask();
        Assert.False(set.IsCompleted);
        Assert.Equal(0, _configuration.Current.TimeoutSeconds);
        Task<string?> next = _configuration.SetAsync([("maxclients", "7")]).AsTask();
        Assert.False(next.IsCompleted);
        Assert.Equal(
            "CONFIG SET failed - another change is under way",
            await _configuration.SetAsync([("maxclients", "8")], mayWait: false)
        );
        slow.SetResult("taken");
        Assert.Equal("CONFIG SET failed (possibly related to argument 'PORT') - taken", await set);
        Assert.Null(await next);
        Assert.Equal((0, 6379, 7), (_configuration.Current.TimeoutSeconds, _configuration.Current.Port, _configuration.Current.MaxClients));
        Assert.Equal(["timeout 5", "port 7000", "timeout 0"], applied);
        Assert.Equal(
            "CONFIG SET failed (possibly related to argument 'bind') - not possible inside a transaction",
            await _configuration.SetAsync([("bind", "::1")], mayWait: false)
        );
    }

    [Fact]
    public async Task Readers_never_see_half_a_change()
    {
        using var stop = new CancellationTokenSource();
        Task<bool> reader = Task.Run(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                GarnetOptions options = _configuration.Current;
                if (options.TimeoutSeconds != options.MaxMemoryBytes)
                    return false;
            }
            return true;
        });
        for (int i = 0; i < 20_000; i++)
            Assert.Null(await _configuration.SetAsync([("timeout", $"{i}"), ("maxmemory", $"{i}")]));
        await stop.CancelAsync();
        Assert.True(await reader);
    }

    [Fact]
    public void Without_a_file_there_is_nothing_to_rewrite() =>
        Assert.Equal("The server is running without a config file", _configuration.Rewrite());

    [Fact]
    public async Task A_rewrite_keeps_comments_and_order()
    {
        string path = Write(
            """
            # my cache
            port 7000

            slowlog-max-len 5
            # about time
            timeout 1
            timeout 2


            include other.conf
            nonsense here
            loglevel debug
            client-output-buffer-limit pubsub 1mb 0 0
            """
        );
        ServerConfiguration configuration = Load(path, skip: ["include", "nonsense"]);
        Assert.Null(
            await configuration.SetAsync([("timeout", "9"), ("maxmemory", "64mb"), ("requirepass", "x\"y"), ("loglevel", "notice")])
        );
        Assert.Null(configuration.Rewrite());
        Assert.Equal(
            $"""
            # my cache
            port 7000

            commandlog-slow-execution-max-len 5
            # about time
            timeout 9

            include other.conf
            # ??? nonsense here
            loglevel notice
            client-output-buffer-limit normal 0 0 0
            # Generated by CONFIG REWRITE
            requirepass "x\"y"
            client-output-buffer-limit pubsub 1mb 0 0
            maxmemory 64mb
            dir "{Environment.CurrentDirectory}"

            """,
            File.ReadAllText(path)
        );
        Assert.Equal([path], Directory.GetFiles(_directory));
    }

    [Theory]
    [InlineData("127.0.0.1 -foo\nenable-debug-command\tyes")]
    [InlineData("127.0.0.1 -\r\ndatabases 1")]
    [InlineData("127.0.0.1 \"::1")]
    [InlineData("#")]
    public async Task An_address_that_would_break_its_line_is_refused(string value)
    {
        Assert.Equal(
            "CONFIG SET failed (possibly related to argument 'bind') - an address is an IP address, a host name, * or ::*",
            await _configuration.SetAsync([("bind", value)])
        );
    }

    // Any text that an option accepts is one line in the file, and sets only that option when it is read back.
    [Fact]
    public void No_value_reaches_another_option_through_the_file()
    {
        var random = new Random(TestSeed.Choose(output, 11));
        string[] parts =
        [
            "a",
            "1",
            " ",
            "\t",
            "\n",
            "\r",
            "\r\n",
            "\"",
            "'",
            "\\",
            "#",
            "-",
            "*",
            "::",
            "\0",
            "\u0085",
            "\u2028",
            "é",
            "\nenable-debug-command yes",
            "\\x0a",
            "normal 1 2 3",
            "900 1",
            "",
        ];
        int most = FaultScale.Count(8, 40);
        var defaults = new GarnetOptions();
        (OptionDescriptor Option, string Text)[] all = [.. OptionTable.All.Select(each => (each, each.Format(defaults)))];
        foreach (OptionDescriptor option in OptionTable.All)
        {
            int taken = 0;
            for (int i = 0; i < 10 * most && taken < most; i++)
            {
                string value = string.Concat(Enumerable.Range(0, random.Next(1, 6)).Select(_ => parts[random.Next(parts.Length)]));
                var options = new GarnetOptions();
                if (option.Name == "dir" || option.TrySet(options, option.TakesSeveral ? value.Split(' ') : [value]) is not null)
                    continue;
                taken++;
                string path = Write("");
                Assert.Null(new ServerConfiguration(options, path).Rewrite());
                var again = new GarnetOptions();
                new OptionReader(again).ReadFile(path);
                Assert.Equal(option.Format(options), option.Format(again));
                foreach ((OptionDescriptor other, string text) in all)
                {
                    if (other != option)
                        Assert.Equal(text, other.Format(again));
                }
            }
        }
    }

    [Theory]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.UserWrite)]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite)]
    public void A_rewritten_file_keeps_its_mode_and_a_link_to_it_stays_a_link(UnixFileMode mode)
    {
        if (OperatingSystem.IsWindows())
            return;
        string path = Write("timeout 1\n");
        File.SetUnixFileMode(path, mode);
        string link = Path.Combine(_directory, "link.conf");
        File.CreateSymbolicLink(link, path);
        var options = new GarnetOptions { TimeoutSeconds = 2 };
        Assert.Null(new ServerConfiguration(options, link).Rewrite());
        Assert.StartsWith("timeout 2\n", File.ReadAllText(path), StringComparison.Ordinal);
        Assert.Equal(mode, File.GetUnixFileMode(path));
        Assert.Equal(path, new FileInfo(link).LinkTarget);
    }

    [Fact]
    public async Task A_rewritten_file_gives_the_same_settings_and_does_not_change_again()
    {
        string path = Write("port 7000\n");
        ServerConfiguration configuration = Load(path, skip: []);
        Assert.Null(
            await configuration.SetAsync([("timeout", "9"), ("requirepass", "né \t'\""), ("client-output-buffer-limit", "normal 1 2 3")])
        );
        Assert.Null(configuration.Rewrite());
        string first = File.ReadAllText(path);
        ServerConfiguration again = Load(path, skip: []);
        Assert.All(OptionTable.All, option => Assert.Equal(option.Format(configuration.Current), option.Format(again.Current)));
        Assert.Null(again.Rewrite());
        Assert.Equal(first, File.ReadAllText(path));
    }

    [Fact]
    public async Task A_file_of_Windows_keeps_its_line_ends_and_its_paths()
    {
        string path = Write(
            "\uFEFF# mine\r\ntimeout 5\r\ntls-cert-file C:\\keys\\new.pem\r\ntls-key-file \"C:\\\\my keys\\\\new.key\"\r\n"
        );
        GarnetOptions options = new();
        new OptionReader(options).ReadFile(path);
        Assert.Equal((5, @"C:\keys\new.pem", @"C:\my keys\new.key"), (options.TimeoutSeconds, options.TlsCertFile, options.TlsKeyFile));
        ServerConfiguration configuration = new(options, path);
        Assert.Null(await configuration.SetAsync([("timeout", "6")]));
        Assert.Null(configuration.Rewrite());
        string[] lines = File.ReadAllText(path).Split("\r\n");
        Assert.Equal(["# mine", "timeout 6"], lines[..2]);
        Assert.All(lines, static line => Assert.DoesNotContain('\n', line));
        GarnetOptions again = new();
        new OptionReader(again).ReadFile(path);
        Assert.Equal((6, @"C:\keys\new.pem", @"C:\my keys\new.key"), (again.TimeoutSeconds, again.TlsCertFile, again.TlsKeyFile));
    }

    [Fact]
    public void A_missing_file_is_created()
    {
        string path = Write("timeout 1\n");
        File.Delete(path);
        Assert.Null(new ServerConfiguration(new GarnetOptions { TimeoutSeconds = 2 }, path).Rewrite());
        Assert.Contains("timeout 2", File.ReadAllLines(path));
    }

    [Fact]
    public void An_unwritable_file_is_reported_and_unchanged()
    {
        string path = Path.Combine(_directory, "gone", "garnet.conf");
        var configuration = new ServerConfiguration(new GarnetOptions(), path);
        Assert.StartsWith("Rewriting config file: ", configuration.Rewrite(), StringComparison.Ordinal);
    }

    private string Write(string text)
    {
        string path = Path.Combine(_directory, "garnet.conf");
        File.WriteAllText(path, text);
        return path;
    }

    private static ServerConfiguration Load(string path, string[] skip)
    {
        var options = new GarnetOptions();
        var reader = new OptionReader(options);
        foreach (string line in File.ReadAllLines(path))
        {
            if (ConfigurationLine.Split(line) is [var name, .. var rest] && name[0] != '#' && !skip.Contains(name))
                reader.Set(name, OptionTable.Find(name)!, rest);
        }
        return new ServerConfiguration(options, path);
    }
}
