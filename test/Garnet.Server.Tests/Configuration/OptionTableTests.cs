// The table of options: complete, and strict about values. No shared state, any order.
using System.Reflection;
using Garnet.Server.Configuration;
using Xunit;

namespace Garnet.Server.Tests.Configuration;

public sealed class OptionTableTests
{
    private const string Sixteen = "0123456789abcdef";
    private const string Sixty4 = Sixteen + Sixteen + Sixteen + Sixteen;
    private const string TooLongSeed = Sixty4 + Sixty4 + Sixty4 + Sixty4 + "x";

    [Fact]
    public void Every_property_has_exactly_one_row_and_every_row_a_property()
    {
        IEnumerable<string> properties = typeof(GarnetOptions)
            .GetProperties(BindingFlags.Public | BindingFlags.Instance)
            .Select(property => property.Name)
            // Users, roles and the options of modules are lines of their own kind in a file; texts of libraries are for code alone.
            .Where(static name =>
                name
                    is not (
                        nameof(GarnetOptions.Users)
                        or nameof(GarnetOptions.Roles)
                        or nameof(GarnetOptions.ModuleSettings)
                        or nameof(GarnetOptions.RenamedCommands)
                        or nameof(GarnetOptions.FunctionLibraries)
                    )
            );
        Assert.Equal(
            properties.Order(),
            OptionTable.All.Where(option => option.Group != OptionGroup.Valkey).Select(option => option.Property).Order()
        );
    }

    [Theory]
    [InlineData("lazyfree-lazy-user-del", "NO", "no")]
    [InlineData("hz", "0", "1")]
    [InlineData("hz", "501", "500")]
    [InlineData("list-compress-depth", "3", "3")]
    [InlineData("active-defrag-ignore-bytes", "2kb", "2048")]
    [InlineData("proc-title-template", "{title}", "{title}")]
    [InlineData("daemonize", "Yes", "yes")]
    public void Options_of_Valkey_without_an_equivalent_are_kept(string name, string value, string shown)
    {
        OptionDescriptor option = OptionTable.Find(name)!;
        var options = new GarnetOptions();
        GarnetOptions others = options.Clone();
        Assert.Null(option.TrySet(options, [value]));
        Assert.Equal(shown, option.Format(options));
        Assert.Equal(option.Format(new GarnetOptions()), option.Format(others));
    }

    [Theory]
    [InlineData("cluster-enabled", "yes", "this server supports 'no' only")]
    [InlineData("active-expire-effort", "11", "argument must be between 1 and 10 inclusive")]
    [InlineData("activedefrag", "maybe", "argument must be 'yes' or 'no'")]
    public void Options_without_effect_are_as_strict_about_values_as_others(string name, string value, string problem) =>
        Assert.Equal(problem, OptionTable.Find(name)!.TrySet(new GarnetOptions(), [value]));

    [Fact]
    public void Times_are_rounded_up_to_the_units_of_the_option_and_may_not_be_negative()
    {
        GarnetOptions options = new()
        {
            IdleTimeout = TimeSpan.FromSeconds(1.5),
            TcpKeepAlive = TimeSpan.MaxValue,
            TlsAutoReloadInterval = TimeSpan.Zero,
            TlsHandshakeTimeout = TimeSpan.FromTicks(1),
            LfuDecayTime = TimeSpan.FromMinutes(2),
            SlowLogThreshold = null,
            LatencyMonitorThreshold = TimeSpan.FromMilliseconds(7),
            Save = [new SavePoint(TimeSpan.FromMinutes(1), 5)],
        };
        Assert.Equal("2", Text("timeout"));
        Assert.Equal("2147483647", Text("tcp-keepalive"));
        Assert.Equal("0", Text("tls-auto-reload-interval"));
        Assert.Equal("1", Text("tls-handshake-timeout-ms"));
        Assert.Equal("2", Text("lfu-decay-time"));
        Assert.Equal("-1", Text("commandlog-execution-slower-than"));
        Assert.Equal("7", Text("latency-monitor-threshold"));
        Assert.Equal("60 5", Text("save"));
        Assert.Null(options.SlowLogThreshold);
        Assert.Equal(TimeSpan.FromSeconds(2), options.IdleTimeout);
        options.SlowLogThreshold = TimeSpan.FromMicroseconds(20);
        Assert.Equal("20", Text("commandlog-execution-slower-than"));
        Assert.Equal(TimeSpan.FromMicroseconds(20), options.SlowLogThreshold);
        Assert.Null(OptionTable.Find("commandlog-execution-slower-than")!.TrySet(options, [$"{long.MaxValue}"]));
        Assert.Equal(TimeSpan.MaxValue, options.SlowLogThreshold);
        Assert.Throws<ArgumentOutOfRangeException>(() => options.IdleTimeout = TimeSpan.FromTicks(-1));
        Assert.Equal(TimeSpan.FromMinutes(1), options.ClientOutputBufferLimits.Replica.SoftPeriod);

        string Text(string name) => OptionTable.Find(name)!.Format(options);
    }

    [Fact]
    public void Names_are_lower_case_and_found_in_any_case()
    {
        Assert.All(OptionTable.Names, pair => Assert.Matches("^[a-z]+([-_][a-z0-9]+)*$", pair.Key));
        Assert.Same(OptionTable.Find("maxmemory"), OptionTable.Find("MaxMemory"));
        Assert.Same(OptionTable.Find("slowlog-max-len"), OptionTable.Find("commandlog-slow-execution-max-len"));
        Assert.Null(OptionTable.Find("no-such-option"));
    }

    [Fact]
    public void Names_that_Valkey_does_not_have_are_the_property_in_kebab_case()
    {
        foreach (string name in new[] { "transport", "thread-pool-min-threads", "thread-pool-max-io-completion-threads" })
            Assert.Equal(name.Replace("-", ""), OptionTable.Find(name)!.Property.ToLowerInvariant());
    }

    [Fact]
    public void Every_default_can_be_written_and_read_back()
    {
        var defaults = new GarnetOptions();
        foreach (OptionDescriptor option in OptionTable.All)
        {
            var copy = new GarnetOptions();
            string text = option.Format(defaults);
            Assert.Null(option.TrySet(copy, option.SplitValue(text)));
            Assert.Equal(text, option.Format(copy));
        }
    }

    [Theory]
    [InlineData("port", "70000", "argument must be between 0 and 65535 inclusive")]
    [InlineData("port", "-1", "argument must be between 0 and 65535 inclusive")]
    [InlineData("timeout", "01", "argument couldn't be parsed into an integer")]
    [InlineData("timeout", "+1", "argument couldn't be parsed into an integer")]
    [InlineData("timeout", " 1", "argument couldn't be parsed into an integer")]
    [InlineData("timeout", "", "argument couldn't be parsed into an integer")]
    [InlineData("timeout", "99999999999999999999", "argument couldn't be parsed into an integer")]
    [InlineData("maxclients", "0", "argument must be between 1 and 4294967295 inclusive")]
    [InlineData("unixsocketperm", "800", "argument couldn't be parsed as an octal number")]
    [InlineData("unixsocketperm", "1000", "argument must be between 0 and 777 inclusive")]
    [InlineData("maxmemory", "12xb", "argument must be a memory value")]
    [InlineData("maxmemory", "-1", "argument must be a memory value")]
    [InlineData("maxmemory", "9999999999gb", "argument must be between 0 and 9223372036854775807 inclusive")]
    [InlineData("client-query-buffer-limit", "1kb", "argument must be between 1048576 and 9223372036854775807 inclusive")]
    [InlineData("protected-mode", "true", "argument must be 'yes' or 'no'")]
    [InlineData("save", "0 100", "Invalid save parameters")]
    [InlineData("save", "60 -1", "Invalid save parameters")]
    [InlineData("save", "60 x", "Invalid save parameters")]
    [InlineData("dbfilename", "", "dbfilename can't be empty")]
    [InlineData("dbfilename", "a/b", "dbfilename can't be a path, just a filename")]
    [InlineData("checkpoint-throttle-flush-delay-ms", "-2", "argument must be 'auto' or between -1 and 60000 inclusive")]
    [InlineData("checkpoint-throttle-flush-delay-ms", "fast", "argument must be 'auto' or an integer")]
    [InlineData("save", "60", "Invalid save parameters")]
    [InlineData("loglevel", "loud", "argument(s) must be one of the following: debug, verbose, notice, warning, nothing")]
    [InlineData(
        "maxmemory-policy",
        "best",
        "argument(s) must be one of the following: volatile-lru, volatile-lfu, volatile-random, volatile-ttl, allkeys-lru, allkeys-lfu, allkeys-random, allkeys-lrfu, noeviction"
    )]
    [InlineData("dir", "", "dir can't be empty")]
    [InlineData(
        "shutdown-on-sigterm",
        "never",
        "argument(s) must be one of the following: default, save, nosave, now, force, safe, failover"
    )]
    [InlineData("shutdown-on-sigint", "save now nosave", "shutdown options SAVE and NOSAVE can't be used simultaneously")]
    [InlineData("dir", "/no/such/place", "No such file or directory")]
    [InlineData("hash-max-listpack-value", "9223372036854775808", "argument must be between 0 and 9223372036854775807 inclusive")]
    [InlineData("hash-max-listpack-value", "18446744073709551616", "argument must be a memory value")]
    [InlineData("aof-timestamp-enabled", "maybe", "argument must be 'yes' or 'no'")]
    [InlineData("aof-timestamp-enabled", "yes", "this server supports 'no' only")]
    [InlineData("oom-score-adj", "1", "argument(s) must be one of the following: no, yes, relative, absolute")]
    [InlineData("oom-score-adj-values", "1 2001 3", "Invalid oom-score-adj-values, elements must be between -2000 and 2000.")]
    [InlineData("oom-score-adj-values", "1 2", "wrong number of arguments")]
    [InlineData("hash-seed", TooLongSeed, "hash-seed must be less than or equal to 256 characters")]
    [InlineData("supervised", "launchd", "argument(s) must be one of the following: no, systemd, auto, upstart")]
    [InlineData("propagation-error-behavior", "x", "argument(s) must be one of the following: ignore, panic, panic-on-replicas")]
    [InlineData("slot-migration-max-failover-repl-bytes", "-2", "argument must be a memory value")]
    [InlineData("notify-keyspace-events", "KEA!", "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.")]
    [InlineData("locale-collate", "nowhere", "Invalid locale name")]
    [InlineData("proc-title-template", "", "template format is invalid or contains unknown variables")]
    [InlineData("proc-title-template", "{name} {port}", "template format is invalid or contains unknown variables")]
    [InlineData("client-output-buffer-limit", "normal 1", "Wrong number of arguments in buffer limit configuration.")]
    [InlineData("client-output-buffer-limit", "primary 1 1 1", "Invalid client class specified in buffer limit configuration.")]
    [InlineData("client-output-buffer-limit", "normal 1 1 x", "Error in hard, soft or soft_seconds setting in buffer limit configuration.")]
    public void A_wrong_value_is_refused_and_changes_nothing(string name, string value, string problem)
    {
        OptionDescriptor option = OptionTable.Find(name)!;
        var options = new GarnetOptions();
        Assert.Equal(problem, option.TrySet(options, option.TakesSeveral ? value.Split(' ') : [value]));
        Assert.Equal(option.Format(new GarnetOptions()), option.Format(options));
    }

    [Theory]
    [InlineData("", 0)]
    [InlineData("0", 0)]
    [InlineData("100", 100)]
    [InlineData("1b", 1)]
    [InlineData("2k", 2000)]
    [InlineData("2KB", 2048)]
    [InlineData("3m", 3_000_000)]
    [InlineData("3mB", 3 * 1024 * 1024)]
    [InlineData("4g", 4_000_000_000)]
    [InlineData("4gb", 4UL * 1024 * 1024 * 1024)]
    [InlineData("9223372036854775808", 1UL << 63)]
    [InlineData("9223372036854775808kb", ulong.MaxValue)]
    public void Sizes_take_units(string text, ulong bytes)
    {
        Assert.True(MemorySize.TryParse(text, out ulong parsed));
        Assert.Equal(bytes, parsed);
    }

    [Fact]
    public void Shutdown_options_take_several_words()
    {
        OptionDescriptor option = OptionTable.Find("shutdown-on-sigterm")!;
        var options = new GarnetOptions();
        Assert.Equal("default", option.Format(options));
        Assert.Null(option.TrySet(options, ["FORCE", "default", "nosave"]));
        Assert.Equal(ShutdownModifiers.NoSave | ShutdownModifiers.Force, options.ShutdownOnSigTerm);
        Assert.Equal("nosave force", option.Format(options));
    }

    [Fact]
    public void Output_limits_change_class_by_class()
    {
        OptionDescriptor option = OptionTable.Find("client-output-buffer-limit")!;
        var options = new GarnetOptions();
        Assert.Equal("normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60", option.Format(options));
        Assert.Null(option.TrySet(options, ["replica", "1mb", "2kb", "3", "NORMAL", "5", "6", "7"]));
        Assert.Equal("normal 5 6 7 slave 1048576 2048 3 pubsub 33554432 8388608 60", option.Format(options));
    }

    [Fact]
    public void Thread_pool_bounds_must_not_cross()
    {
        Assert.Null(OptionTable.FindConflict(new GarnetOptions { ThreadPoolMinThreads = 8 }));
        Assert.Equal(
            "thread-pool-min-threads",
            OptionTable.FindConflict(new GarnetOptions { ThreadPoolMinThreads = 8, ThreadPoolMaxThreads = 4 })!.Value.Name
        );
    }
}
