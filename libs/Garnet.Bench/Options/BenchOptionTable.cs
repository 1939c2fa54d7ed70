// All options of the command: the parser and the help read this table. Immutable; any thread.
using Garnet.Client;

namespace Garnet.Bench.Options;

/// <summary>Names are those of redis-benchmark (short) and memtier (long) where these have the option.</summary>
internal static class BenchOptionTable
{
    private const int MaxClients = 100_000;
    private const int MaxThreads = 256;
    private const int MaxKeysPerGet = 10_000;
    private const int MaxPipeline = 100_000;
    private const long BytesPerMebibyte = 1024 * 1024;
    private const double MaxRate = 100_000_000;
    private const long MaxKey = 1_000_000_000_000 - 1; // as many digits as __rand_int__ has

    /// <summary>The options in the order of the help.</summary>
    public static IReadOnlyList<BenchOption> All { get; } =
    [.. Connection(), .. Load(), .. Commands(), .. Keys(), .. Values(), .. Results()];

    /// <summary>The option with a name, or null.</summary>
    public static BenchOption? Find(string name) => All.FirstOrDefault(option => option.Names.Contains(name));

    /// <summary>Why an option of another load generator is refused, and what to do instead; null where it is not known.</summary>
    public static string? Refusal(string name) =>
        name switch
        {
            "--cluster" or "--cluster-mode" =>
                "is not supported: a load goes to one server. Measure each node by itself, with keys of its slots (--key-prefix '{tag}')",
            "-l" => "is not supported: --rounds repeats a test",
            _ => null,
        };

    private static IEnumerable<BenchOption> Connection()
    {
        const string Group = "Connection";
        yield return new(Group, ["-h", "--host"], "HOST", "host name or address (127.0.0.1)", static (o, v) => o.Target.Host = v);
        yield return new(
            Group,
            ["-p", "--port"],
            "PORT",
            "port (6379)",
            static (o, v) => o.Target.Port = OptionText.Integer32(v, 1, ushort.MaxValue)
        );
        yield return new(
            Group,
            ["-s", "-S", "--unix-socket"],
            "PATH",
            "Unix socket, instead of host and port",
            static (o, v) => o.Target.UnixSocket = v
        );
        yield return new(
            Group,
            ["-u", "--uri"],
            "URI",
            "redis://user:password@host:port/database; rediss:// for TLS",
            static (o, v) => TargetUri.Apply(v, o.Target)
        );
        yield return new(
            Group,
            ["-a", "--pass", "--authenticate"],
            "PASSWORD",
            "password; better in " + PasswordVariables.Names + ", where others do not see it",
            static (o, v) => o.Target.Password = v
        );
        yield return new(Group, ["--user"], "NAME", "user, with a password", static (o, v) => o.Target.User = v);
        yield return new(
            Group,
            ["--dbnum", "--select-db"],
            "NUMBER",
            "database (0)",
            static (o, v) => o.Target.Database = OptionText.Integer32(v, 0, int.MaxValue)
        );
        yield return new(Group, ["-3", "--resp3"], null, "speak RESP3", static (o, _) => o.Target.UsesResp3 = true);
        yield return new(Group, ["--tls"], null, "encrypt connections", static (o, _) => o.Target.UsesTls = true);
        yield return new(Group, ["--cacert"], "FILE", "authorities to trust, PEM", static (o, v) => o.Target.Tls.AuthorityFile = v);
        yield return new(Group, ["--cert"], "FILE", "the client's certificate, PEM", static (o, v) => o.Target.Tls.CertificateFile = v);
        yield return new(Group, ["--key"], "FILE", "its private key, PEM", static (o, v) => o.Target.Tls.KeyFile = v);
        yield return new(Group, ["--sni"], "NAME", "name in the server's certificate", static (o, v) => o.Target.Tls.HostName = v);
        yield return new(
            Group,
            ["--insecure", "--tls-skip-verify"],
            null,
            "accept any certificate of the server",
            static (o, _) => o.Target.SkipsVerification = true
        );
        yield return new(
            Group,
            ["--connection-timeout", "--connect-timeout"],
            "SECONDS",
            "how long a connection may take (5)",
            static (o, v) => o.Target.ConnectTimeout = OptionText.Seconds(v)
        );
        yield return new(
            Group,
            ["--reply-timeout"],
            "SECONDS",
            "how long a reply may take before the measurement fails (10)",
            static (o, v) => o.Target.ReplyTimeout = OptionText.Seconds(v)
        );
        yield return new(
            Group,
            ["--against"],
            "SERVER",
            "compare with host:port, unix:/path or a URI: rounds alternate between the two",
            static (o, v) => o.Target.Against = v
        );
        yield return new(
            Group,
            ["--server-pid"],
            "PID",
            "read the server's processor time from this process instead of INFO",
            static (o, v) => o.Target.ServerProcess = OptionText.Integer32(v, 1, int.MaxValue)
        );
    }

    private static IEnumerable<BenchOption> Load()
    {
        const string Group = "Load";
        yield return new(
            Group,
            ["-c", "--clients"],
            "NUMBER",
            "connections in total (50)",
            static (o, v) => o.Load.Clients = OptionText.Integer32(v, 1, MaxClients)
        );
        yield return new(
            Group,
            ["--threads"],
            "NUMBER",
            "threads that share the connections (1)",
            static (o, v) => o.Load.Threads = OptionText.Integer32(v, 1, MaxThreads)
        );
        yield return new(
            Group,
            ["-P", "--pipeline"],
            "NUMBER",
            "requests that a connection has under way (1)",
            static (o, v) => o.Load.Pipeline = OptionText.Integer32(v, 1, MaxPipeline)
        );
        yield return new(
            Group,
            ["-k", "--keep-alive"],
            "0|1",
            "0: each connection is closed when its requests are answered, and a new one opened (1)",
            static (o, v) => o.Load.KeepsAlive = OptionText.Integer32(v, 0, 1) == 1
        );
        yield return new(
            Group,
            ["-n", "--requests"],
            "NUMBER",
            "requests in total; without it the time decides",
            static (o, v) => o.Load.Requests = OptionText.Integer(v, 1, long.MaxValue)
        );
        yield return new(
            Group,
            ["--duration", "--test-time"],
            "SECONDS",
            "how long to measure (5, or until -n requests are done)",
            static (o, v) => o.Load.Time = OptionText.Duration(v)
        );
        yield return new(
            Group,
            ["--warmup"],
            "SECONDS",
            "load before measuring (1; with -n 0)",
            static (o, v) => o.Load.WarmUp = OptionText.Seconds(v, mayBeZero: true)
        );
        yield return new(
            Group,
            ["--rps", "--rate"],
            "NUMBER",
            "open loop: requests a second in total; latency counts from when each was due",
            static (o, v) => o.Load.Rate = OptionText.Positive(v, MaxRate)
        );
        yield return new(
            Group,
            ["--arrivals"],
            "uniform|poisson",
            "open loop: distances between requests (uniform)",
            static (o, v) =>
                o.Load.Arrivals = v switch
                {
                    "uniform" => ArrivalPattern.Uniform,
                    "poisson" => ArrivalPattern.Poisson,
                    _ => throw new BenchException("must be uniform or poisson"),
                }
        );
        yield return new(
            Group,
            ["--max-memory"],
            "MIB",
            "memory that the load may need at most (half of the machine's)",
            static (o, v) => o.Load.MaxMemory = OptionText.Integer(v, 1, long.MaxValue / BytesPerMebibyte) * BytesPerMebibyte
        );
        yield return new(
            Group,
            ["-x", "--run-count", "--rounds"],
            "NUMBER",
            "repeat each test and show medians (1; with --against 5)",
            static (o, v) => o.Load.Rounds = OptionText.Integer32(v, 1, 10_000)
        );
        yield return new(
            Group,
            ["--seed"],
            "NUMBER",
            "seed of random keys, values and arrivals (12345)",
            static (o, v) => o.Seed = OptionText.Integer(v, 0, long.MaxValue)
        );
        yield return new(Group, ["--randomize"], null, "choose a new seed", static (o, _) => o.Seed = Random.Shared.NextInt64());
    }

    private static IEnumerable<BenchOption> Commands()
    {
        const string Group = "Commands";
        yield return new(
            Group,
            ["--ratio"],
            "SETS:GETS",
            "a mix of SET and GET (1:10)",
            static (o, v) => o.Commands.Ratio = OptionText.Ratio(v)
        );
        yield return new(
            Group,
            ["--multi-key-get"],
            "NUMBER",
            "--ratio reads with MGET of up to so many keys",
            static (o, v) => o.Commands.KeysPerGet = OptionText.Integer32(v, 1, MaxKeysPerGet)
        );
        yield return new(
            Group,
            ["-t", "--tests"],
            "NAMES",
            "tests, one after the other; all, or names such as set,get,zadd (below)",
            static (o, v) => o.Commands.Tests = OptionText.Names(v)
        );
        yield return new(
            Group,
            ["--command"],
            "TEXT",
            "a command with __key__, __data__, __rand_int__, __rand_1st__; may be repeated",
            static (o, v) => o.Commands.Templates.Add(new CommandOption(v))
        );
        yield return new(
            Group,
            ["--command-ratio"],
            "NUMBER",
            "how often the command before it is sent in a row (1)",
            static (o, v) => LastTemplate(o).Ratio = OptionText.Integer32(v, 1, 1_000_000)
        );
        yield return new(
            Group,
            ["--command-key-pattern"],
            "LETTER",
            "how the keys of the command before it are chosen",
            static (o, v) => LastTemplate(o).Pattern = OptionText.Pattern(v)
        );
        yield return new(
            Group,
            ["--prepare"],
            "NUMBER",
            "how many keys or elements tests of -t write before they read them (all)",
            static (o, v) => o.Commands.PreparedKeys = OptionText.Integer(v, 0, long.MaxValue)
        );
        yield return new(Group, ["--fill"], null, "first write all keys, unmeasured", static (o, _) => o.Commands.Fills = true);
        yield return new(
            Group,
            ["--data-verify", "--verify"],
            null,
            "compare values read with those written (--ratio only)",
            static (o, _) => o.Values.IsVerified = true
        );
    }

    private static IEnumerable<BenchOption> Keys()
    {
        const string Group = "Keys";
        yield return new(
            Group,
            ["-r", "--keyspace"],
            "NUMBER",
            "numbers of keys and of __rand_int__: 0 to NUMBER - 1 (100000)",
            static (o, v) => (o.Keys.Minimum, o.Keys.Maximum) = (0, OptionText.Integer(v, 1, MaxKey + 1) - 1)
        );
        yield return new(
            Group,
            ["--key-minimum"],
            "NUMBER",
            "smallest number (0)",
            static (o, v) => o.Keys.Minimum = OptionText.Integer(v, 0, MaxKey)
        );
        yield return new(
            Group,
            ["--key-maximum"],
            "NUMBER",
            "largest number (99999)",
            static (o, v) => o.Keys.Maximum = OptionText.Integer(v, 0, MaxKey)
        );
        yield return new(Group, ["--key-prefix"], "TEXT", "precedes the number (key:)", static (o, v) => o.Keys.Prefix = v);
        yield return new(
            Group,
            ["--key-pattern"],
            "WRITES:READS",
            "R uniform, G Gaussian, Z Zipf, S sequential, P parallel (R:R)",
            static (o, v) => (o.Keys.WritePattern, o.Keys.ReadPattern) = OptionText.Patterns(v)
        );
        yield return new(
            Group,
            ["--key-stddev"],
            "NUMBER",
            "Gaussian: standard deviation (range / 6)",
            static (o, v) => o.Keys.StandardDeviation = OptionText.Positive(v, MaxKey)
        );
        yield return new(
            Group,
            ["--key-median"],
            "NUMBER",
            "Gaussian: median (middle of the range)",
            static (o, v) => o.Keys.Median = OptionText.Integer(v, 0, MaxKey)
        );
        yield return new(
            Group,
            ["--key-zipf-exp"],
            "NUMBER",
            "Zipf: exponent, less than 5 (1)",
            static (o, v) => o.Keys.ZipfExponent = OptionText.Positive(v, 5)
        );
        yield return new(
            Group,
            ["--sequential"],
            null,
            "__rand_int__ and the others count up instead",
            static (o, _) => o.Keys.IsSequential = true
        );
    }

    private static IEnumerable<BenchOption> Values()
    {
        const string Group = "Values";
        yield return new(
            Group,
            ["-d", "--data-size"],
            "BYTES",
            "size of values (32)",
            static (o, v) => o.Values.Size = OptionText.Integer32(v, 1, OptionText.MaxSize)
        );
        yield return new(
            Group,
            ["--data-size-range"],
            "MIN-MAX",
            "random sizes in a range",
            static (o, v) => o.Values.Range = OptionText.Sizes(v)
        );
        yield return new(
            Group,
            ["--data-size-list"],
            "SIZE:WEIGHT,...",
            "random sizes from a list",
            static (o, v) => o.Values.Weights = OptionText.Weights(v)
        );
        yield return new(
            Group,
            ["--data-size-pattern"],
            "R|S",
            "sizes of a range: R random, S growing with the key (R)",
            static (o, v) =>
                o.Values.IsSizedByKey = v.ToUpperInvariant() switch
                {
                    "R" => false,
                    "S" => true,
                    _ => throw new BenchException("must be R or S"),
                }
        );
        yield return new(Group, ["-R", "--random-data"], null, "each value has other bytes", static (o, _) => o.Values.IsRandom = true);
    }

    private static IEnumerable<BenchOption> Results()
    {
        const string Group = "Results";
        yield return new(Group, ["-q", "--quiet"], null, "one line a command", static (o, _) => o.Output.Format = OutputFormat.Quiet);
        yield return new(Group, ["--json"], null, "print JSON", static (o, _) => o.Output.Format = OutputFormat.Json);
        yield return new(Group, ["--csv"], null, "print CSV", static (o, _) => o.Output.Format = OutputFormat.Csv);
        yield return new(
            Group,
            ["-o", "--out-file"],
            "FILE",
            "write the result to a file, not to standard output",
            static (o, v) => o.Output.File = v
        );
        yield return new(Group, ["--json-out-file"], "FILE", "also write JSON to a file", static (o, v) => o.Output.JsonFile = v);
        yield return new(
            Group,
            ["--hdr-file-prefix"],
            "TEXT",
            "write each command's latencies as HdrHistogram's percentiles to TEXT + name + .txt",
            static (o, v) => o.Output.HistogramPrefix = v
        );
        yield return new(
            Group,
            ["--print-percentiles"],
            "NUMBERS",
            "percentiles to show (50,95,99,99.9)",
            static (o, v) => o.Output.Percentiles = OptionText.Percentiles(v)
        );
        yield return new(
            Group,
            ["--no-progress"],
            null,
            "no live line; only a terminal has one",
            static (o, _) => o.Output.HidesProgress = true
        );
        yield return new(Group, ["--help"], null, "print this", static (o, _) => o.WantsHelp = true);
    }

    private static CommandOption LastTemplate(BenchOptions options) =>
        options.Commands.Templates is [.., var last] ? last : throw new BenchException("stands behind the --command it is for");
}
