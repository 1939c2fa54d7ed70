// Arguments: what is read, and what is refused with which line.
using Garnet.Bench.Options;
using Xunit;

namespace Garnet.Bench.Tests.Options;

public sealed class BenchArgumentsTests
{
    [Fact]
    public void Names_of_redis_benchmark_are_read()
    {
        BenchOptions options = TestOptions.Parse([
            .. "-h h -p 1 -a pw --user u -c 7 -n 9 -d 11 --dbnum 3 -3 --threads 2 -r 100 -P 4 -q -t set,get --seed 5 --rps 2.5".Split(' '),
        ]);
        TargetOptions target = options.Target;
        Assert.Equal(
            ("h", 1, "pw", "u", 3, true),
            (target.Host, target.Port, target.Password, target.User, target.Database, target.UsesResp3)
        );
        Assert.Equal(
            (7, 9L, 2, 4, 2.5),
            (options.Load.Clients, options.Load.Requests, options.Load.Threads, options.Load.Pipeline, options.Load.Rate)
        );
        Assert.Equal((11, 0L, 99L, 5L), (options.Values.Size, options.Keys.Minimum, options.Keys.Maximum, options.Seed));
        Assert.Equal(["set", "get"], options.Commands.Tests);
        Assert.Equal(OutputFormat.Quiet, options.Output.Format);
    }

    [Fact]
    public void Names_of_memtier_are_read()
    {
        BenchOptions options = TestOptions.Parse(
            "--unix-socket=/s",
            "--clients=3",
            "--requests=20",
            "--test-time=1.5",
            "--ratio=2:3",
            "--pipeline=6",
            "--select-db=1",
            "--data-size-list=1:2,3:4",
            "--key-minimum=10",
            "--key-maximum=20",
            "--key-pattern=P:Z",
            "--key-prefix=k-",
            "--key-stddev=2.5",
            "--key-median=12",
            "--key-zipf-exp=0.9",
            "--random-data",
            "--data-verify",
            "--run-count=4",
            "--json-out-file=/j"
        );
        Assert.Equal(("/s", 1), (options.Target.UnixSocket, options.Target.Database));
        Assert.Equal(
            (3, 20L, TimeSpan.FromSeconds(1.5), 4),
            (options.Load.Clients, options.Load.Requests, options.Load.Time, options.Load.Rounds)
        );
        Assert.Equal((2, 3), options.Commands.Ratio);
        Assert.Equal([(1, 2), (3, 4)], options.Values.Weights!);
        Assert.True(options.Values.IsVerified);
        KeyOptions keys = options.Keys;
        Assert.Equal((10L, 20L, "k-", 11L), (keys.Minimum, keys.Maximum, keys.Prefix, keys.Count));
        Assert.Equal((KeyPattern.Parallel, KeyPattern.Zipf), (keys.WritePattern, keys.ReadPattern));
        Assert.Equal((2.5, 12.0, 0.9), (keys.StandardDeviation, keys.Median, keys.ZipfExponent));
    }

    [Fact]
    public void A_command_begins_with_the_first_word_that_is_no_option()
    {
        Assert.Equal(["lpush", "-x", "--foo"], TestOptions.Parse("-c", "5", "lpush", "-x", "--foo").Commands.Words);
        Assert.Equal(["-weird"], TestOptions.Parse("--", "-weird").Commands.Words);
    }

    [Theory]
    [InlineData("redis://h", "h", 6379, false, null, null, 0)]
    [InlineData("redis://p@h", "h", 6379, false, null, "p", 0)]
    [InlineData("rediss://u:p%20w@h:1/7", "h", 1, true, "u", "p w", 7)]
    [InlineData("valkey://:p@[::1]:5/", "::1", 5, false, null, "p", 0)]
    public void A_URI_names_server_user_and_database(
        string uri,
        string host,
        int port,
        bool tls,
        string? user,
        string? password,
        int database
    )
    {
        TargetOptions target = TestOptions.Parse("-u", uri).Target;
        Assert.Equal((host, port, tls), (target.Host.Trim('[', ']'), target.Port, target.UsesTls));
        Assert.Equal((user, password, database), (target.User, target.Password, target.Database));
    }

    [Fact]
    public void A_percentile_is_shown_once() =>
        Assert.Equal([50, 99.9], TestOptions.Parse("--print-percentiles", "50,99.9,50,99.9000001").Output.Percentiles);

    [Fact]
    public void The_password_may_be_in_the_environment()
    {
        var variables = new Dictionary<string, string> { ["REDISCLI_AUTH"] = "r", ["GARNET_AUTH"] = "g" };
        Assert.Equal("g", BenchArguments.Parse([], variables.GetValueOrDefault).Target.Password);
        Assert.Equal("a", BenchArguments.Parse(["-a", "a"], variables.GetValueOrDefault).Target.Password);
    }

    [Theory]
    [InlineData("unknown option '--foo'", "--foo")]
    [InlineData("unknown option '--foo'", "--foo=3")]
    [InlineData("-c needs a value", "-c")]
    [InlineData("--tls takes no value", "--tls=1")]
    [InlineData("-p '0': must be a whole number from 1 to 65535", "-p", "0")]
    [InlineData("-p 'x': must be a whole number", "-p", "x")]
    [InlineData("-c '-1': must be", "-c", "-1")]
    [InlineData("-c '99999999999999999999': must be", "-c", "99999999999999999999")]
    [InlineData("-n '0': must be", "-n", "0")]
    [InlineData("-n '1.5': must be", "-n", "1.5")]
    [InlineData("--test-time '0': must be a number of seconds from 0.001", "--test-time", "0")]
    [InlineData("--test-time '0.0000001': must be a number of seconds from 0.001", "--test-time", "0.0000001")]
    [InlineData("--test-time 'NaN': must be", "--test-time", "NaN")]
    [InlineData("--test-time '1e9': must be", "--test-time", "1e9")]
    [InlineData("--rate 'inf': must be", "--rate", "inf")]
    [InlineData("--ratio '0:0': must be", "--ratio", "0:0")]
    [InlineData("--ratio '1': must be", "--ratio", "1")]
    [InlineData("--ratio '-1:2': must be", "--ratio", "-1:2")]
    [InlineData("--data-size-range '9-3': must be", "--data-size-range", "9-3")]
    [InlineData("--data-size-list '3': must be", "--data-size-list", "3")]
    [InlineData("--data-size-list '3:0': must be", "--data-size-list", "3:0")]
    [InlineData("--key-pattern 'X:R': must be", "--key-pattern", "X:R")]
    [InlineData("--key-pattern 'R:R:R': must be", "--key-pattern", "R:R:R")]
    [InlineData("--arrivals 'often': must be uniform or poisson", "--arrivals", "often")]
    [InlineData("--arrivals spreads the requests of an open loop: it needs --rate", "--arrivals", "poisson")]
    [InlineData("--cluster is not supported: a load goes to one server", "--cluster")]
    [InlineData("--cluster-mode is not supported", "--cluster-mode", "-c", "3")]
    [InlineData("-l is not supported: --rounds", "-l")]
    [InlineData("-k '2': must be", "-k", "2")]
    [InlineData("excludes --pipeline", "-k", "0", "--rate", "5", "-P", "2")]
    [InlineData("--multi-key-get is for the reads of --ratio", "--multi-key-get", "2", "-t", "get")]
    [InlineData("excludes --multi-key-get", "--multi-key-get", "2", "--verify")]
    [InlineData("--prepare is for tests of -t", "--prepare", "5")]
    [InlineData("--max-memory '0': must be", "--max-memory", "0")]
    [InlineData("--print-percentiles '0': must be", "--print-percentiles", "0")]
    [InlineData("--uri: Invalid URI scheme: it must be redis://", "--uri", "http://user:secret@x")]
    [InlineData("--uri: Invalid database 'x' in the URI", "--uri", "redis://h/x")]
    [InlineData("--key-minimum is 5, but --key-maximum is 2", "--key-minimum", "5", "--key-maximum", "2")]
    [InlineData("--key-median must lie between", "--key-median", "5", "-r", "3")]
    [InlineData("--threads is 5, more than the 2 connections", "--threads", "5", "-c", "2")]
    [InlineData("--user needs a password", "--user", "u")]
    [InlineData("exclude each other", "--data-size-range", "1-2", "--data-size-list", "1:1")]
    [InlineData("needs --data-size-range", "--data-size-pattern", "S")]
    [InlineData("without --tls", "--insecure")]
    [InlineData("there is no such file", "--tls", "--cacert", "/no/such/file")]
    [InlineData("exclude each other", "--ratio", "1:1", "-t", "set")]
    [InlineData("exclude each other", "-t", "set", "PING")]
    [InlineData("there is no test 'nope'", "-t", "set,nope")]
    [InlineData("the number of threads is --threads", "-t", "4")]
    [InlineData("must be names", "-t", ",")]
    [InlineData("stands behind the --command", "--command-ratio", "3")]
    [InlineData("--verify compares", "--verify", "PING")]
    [InlineData("tests of -t prepare their own data", "--fill", "-t", "get")]
    public void Mistakes_are_explained_in_one_line(string expected, params string[] arguments)
    {
        BenchException failure = Assert.Throws<BenchException>(() => TestOptions.Parse(arguments));
        Assert.Contains(expected, failure.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', failure.Message);
        Assert.DoesNotContain("secret", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Names_are_used_once_and_are_all_in_the_help()
    {
        string[] names = [.. BenchOptionTable.All.SelectMany(static option => option.Names)];
        Assert.Equal(names.Length, names.Distinct().Count());
        string help = BenchHelp.Build();
        Assert.All(names, name => Assert.Contains(name, help, StringComparison.Ordinal));
        Assert.All(help.Split('\n'), static line => Assert.InRange(line.Length, 0, 140));
    }
}
