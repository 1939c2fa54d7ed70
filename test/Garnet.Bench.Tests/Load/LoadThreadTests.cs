// The event loop against a simulated server and clock: what is sent when, and what is measured.
using System.Net;
using Garnet.Bench.Load;
using Garnet.Bench.Options;
using Garnet.Bench.Servers;
using Garnet.Bench.Workloads;
using Garnet.Testing;
using HdrHistogram;
using Xunit;

namespace Garnet.Bench.Tests.Load;

public sealed class LoadThreadTests
{
    private const double NanosecondsPerMillisecond = 1_000_000;

    // 10,000 requests a second would take the server half of its time. Of those due while it stops, a tenth of all, the first wait 100 ms,
    // and what has gathered is worked off at 50 us each: the hundredth of all that waits longest has waited for at least 90 ms.
    [Fact]
    public void An_open_loop_shows_that_the_server_stops()
    {
        LongHistogram latencies = Run(Stopping(), "--rate", "10000", "--test-time", "10", "-c", "10", "--warmup", "0").Latencies;
        Assert.Equal(100_000, latencies.TotalCount);
        Assert.InRange(latencies.GetValueAtPercentile(99) / NanosecondsPerMillisecond, 90, 101);
        Assert.InRange(latencies.GetValueAtPercentile(50) / NanosecondsPerMillisecond, 0.05, 0.1);
    }

    // The same server: ten connections lose ten requests to each stop, and a thousandth of the requests is not a hundredth.
    [Fact]
    public void A_closed_loop_hides_that_the_server_stops()
    {
        LongHistogram latencies = Run(Stopping(), "--test-time", "10", "-c", "10", "--warmup", "0").Latencies;
        Assert.InRange(latencies.GetValueAtPercentile(99) / NanosecondsPerMillisecond, 0.45, 0.55);
        Assert.InRange(latencies.GetValueAtPercentile(100) / NanosecondsPerMillisecond, 100, 101);
    }

    [Fact]
    public void A_rate_that_is_not_reached_leaves_requests_unsent()
    {
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMilliseconds(1));
        using LoadThread thread = Load(server, "--rate", "5000", "--test-time", "2", "-c", "4", "--warmup", "0");
        // Two seconds of load and one of grace, at a thousand a second; the rest of the ten thousand is missing.
        Assert.InRange(server.Requests, 2_990, 3_010);
        Assert.Equal(10_000 - server.Requests, thread.Unsent);
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(7, 1)]
    [InlineData(1000, 16)]
    [InlineData(1001, 16)]
    public void As_many_requests_are_sent_as_asked_for(int requests, int pipeline)
    {
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMicroseconds(10));
        CommandResult result = Run(server, "-n", $"{requests}", "-P", $"{pipeline}", "-c", "3");
        Assert.Equal(requests, server.Requests);
        Assert.Equal(requests, result.Latencies.TotalCount);
        Assert.InRange(server.MostUnderWay, 1, pipeline);
    }

    [Fact]
    public void A_pipeline_is_kept_full()
    {
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMicroseconds(10));
        CommandResult result = Run(server, "-n", "10000", "-P", "8", "-c", "2");
        Assert.Equal(8, server.MostUnderWay);
        // Sixteen requests under way, each served in 10 us: in the middle of the run each has waited for all of them.
        Assert.InRange(result.Latencies.GetValueAtPercentile(50), 160_000, 160_200);
    }

    [Fact]
    public void The_warm_up_is_not_measured()
    {
        int slow = 0;
        var clock = new ManualTimeProvider();
        var server = new SimulatedServer(clock, TimeSpan.FromMilliseconds(1))
        {
            Reply = _ => clock.GetTimestamp() < TimeSpan.TicksPerSecond ? $"-ERR {slow++}\r\n" : "+PONG\r\n",
        };
        CommandResult result = Run(server, "--test-time", "2", "--warmup", "1", "-c", "1");
        Assert.Equal(1000, slow);
        Assert.Equal(0, result.Errors);
        Assert.InRange(result.Latencies.TotalCount, 1999, 2001);
    }

    [Fact]
    public void Errors_and_nulls_are_counted()
    {
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMilliseconds(1))
        {
            Reply = static n =>
                (n % 4) switch
                {
                    0 => "-ERR first\r\n",
                    1 => "$-1\r\n",
                    _ => ">1\r\n+push\r\n+PONG\r\n",
                },
        };
        CommandResult result = Run(server, "-n", "100", "-c", "5");
        Assert.Equal((100, 25, 25), (result.Latencies.TotalCount, result.Errors, result.Nulls));
        Assert.Equal("ERR first", result.FirstError);
    }

    [Fact]
    public void A_server_that_stops_for_good_ends_the_measurement()
    {
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMilliseconds(1))
        {
            Reply = static n => n < 10 ? "+PONG\r\n" : null,
        };
        AssertFails(server, "no reply within 10 s", "-n", "100", "-c", "2");
    }

    [Fact]
    public void A_reply_that_never_ends_ends_the_measurement()
    {
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMilliseconds(1)) { Reply = static _ => "*2\r\n$5\r\nab" };
        AssertFails(server, "no complete reply within 3 s", "--reply-timeout", "3", "-c", "1");
    }

    [Fact]
    public void Replies_to_nothing_end_the_measurement()
    {
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMilliseconds(1)) { Reply = static _ => "+A\r\n+B\r\n" };
        AssertFails(server, "a reply to no request", "-c", "1");
    }

    [Fact]
    public void A_reply_that_is_not_RESP_ends_the_measurement()
    {
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMilliseconds(1)) { Reply = static _ => "HTTP/1.1 400" };
        AssertFails(server, "like a web server", "-c", "1");
    }

    // Pushes without end, as fast as they are read: the clock moves, the loop has to notice.
    [Fact]
    public void A_server_that_never_pauses_is_given_up()
    {
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMilliseconds(1)) { Flood = ">1\r\n+a\r\n" };
        AssertFails(server, "no reply within 10 s", "-c", "1");
    }

    [Theory]
    [InlineData]
    [InlineData("--rate", "1000")]
    [InlineData("-a", "password")]
    public void A_connection_that_breaks_while_sending_ends_the_measurement(params string[] arguments)
    {
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMilliseconds(1))
        {
            Reply = static _ => throw new IOException("Broken pipe"),
        };
        AssertFails(server, "a connection was lost: Broken pipe", arguments);
    }

    [Fact]
    public void The_last_error_says_why_a_connection_was_closed()
    {
        int sent = 0;
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMilliseconds(1))
        {
            Reply = _ => sent++ == 0 ? "-ERR too many clients\r\n" : throw new IOException("Broken pipe"),
        };
        AssertFails(server, "Broken pipe; its last error was: ERR too many clients", "-c", "1", "-P", "2");
    }

    [Theory]
    [InlineData]
    [InlineData("-a", "password")]
    public void A_request_to_stop_before_all_are_connected_is_heeded(params string[] arguments)
    {
        var clock = new ManualTimeProvider();
        LoadPlan plan = Plan(arguments);
        plan.Stop();
        using var thread = new LoadThread(plan, 0, new SimulatedServer(clock, TimeSpan.FromMilliseconds(1)), clock);
        thread.Connect();
        thread.Run(clock.GetTimestamp());
        Assert.Equal(0, thread.Completed);
    }

    // So far out of reach that the moments cannot be gone through one by one.
    [Theory]
    [InlineData("uniform")]
    [InlineData("poisson")]
    public void What_is_left_of_an_absurd_rate_is_computed(string arrivals)
    {
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMilliseconds(1));
        using LoadThread thread = Load(server, "--rate", "100000000", "--test-time", "1000", "-c", "1", "--arrivals", arrivals);
        Assert.InRange(thread.Unsent, 99_000_000_000, 100_000_000_000);
    }

    [Fact]
    public void Requests_beyond_the_number_asked_for_are_not_missing()
    {
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMilliseconds(1));
        using LoadThread thread = Load(server, "-n", "4000", "--rate", "100000", "--test-time", "1", "-c", "1");
        Assert.Equal(4000 - server.Requests, thread.Unsent);
    }

    // The server cannot even keep up with the warm-up: those of its requests that are never sent are not measured, and not missing.
    [Fact]
    public void Requests_of_the_warm_up_are_not_missing()
    {
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMilliseconds(100));
        using LoadThread thread = Load(server, "--rate", "1000", "--warmup", "10", "--test-time", "1", "-c", "1");
        Assert.Equal(1000, thread.Unsent);
    }

    // The last of a hundred connections sends 100 ms after the first: it has not waited since then.
    [Fact]
    public void Each_request_begins_when_it_is_sent()
    {
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMicroseconds(10))
        {
            Sending = TimeSpan.FromMilliseconds(1),
        };
        LongHistogram latencies = Run(server, "-n", "100", "-c", "100").Latencies;
        Assert.InRange(latencies.GetValueAtPercentile(1) / NanosecondsPerMillisecond, 0.9, 2.1);
        Assert.InRange(latencies.GetValueAtPercentile(50) / NanosecondsPerMillisecond, 45, 55);
    }

    // As many replies as came are there; the rest is waited for a second, not for as long as a reply may take.
    [Fact]
    public void A_request_to_stop_is_heeded_at_a_server_that_has_stopped()
    {
        LoadPlan? plan = null;
        var clock = new ManualTimeProvider();
        var server = new SimulatedServer(clock, TimeSpan.FromMilliseconds(1))
        {
            Reply = n =>
            {
                if (n == 10)
                    plan!.Stop();
                return n < 10 ? "+PONG\r\n" : null;
            },
        };
        plan = Plan("-n", "100", "-c", "1");
        using var thread = new LoadThread(plan, 0, server, clock);
        thread.Connect();
        thread.Run(clock.GetTimestamp());
        Assert.Equal(10, thread.Results[0].Latencies.TotalCount);
        Assert.InRange(clock.GetTimestamp(), TimeSpan.TicksPerSecond, 2 * TimeSpan.TicksPerSecond);
    }

    [Theory]
    [InlineData(100, "-P", "1")]
    [InlineData(25, "-P", "4")]
    [InlineData(100, "--rate", "1000")]
    public void A_connection_that_is_not_kept_serves_for_one_pipeline(int connections, params string[] arguments)
    {
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMicroseconds(10));
        Assert.Equal(100, Run(server, ["-n", "100", "-c", "1", "-k", "0", .. arguments]).Latencies.TotalCount);
        Assert.Equal((100, connections), (server.Requests, server.Connections));
    }

    [Fact]
    public void A_request_to_stop_is_heeded()
    {
        LoadPlan? plan = null;
        var clock = new ManualTimeProvider();
        var server = new SimulatedServer(clock, TimeSpan.FromMilliseconds(1))
        {
            Reply = n =>
            {
                if (n == 50)
                    plan!.Stop();
                return "+PONG\r\n";
            },
        };
        plan = Plan("-c", "5");
        using var thread = new LoadThread(plan, 0, server, clock);
        thread.Connect();
        thread.Run(clock.GetTimestamp());
        Assert.InRange(server.Requests, 51, 56);
        Assert.Equal(server.Requests, thread.Completed);
    }

    // One run has a hundred times the requests of the other, and may allocate no more than what a queue of the simulation grows by.
    [Fact]
    public void Requests_allocate_nothing()
    {
        long few = ManagedAllocation.Least(static () => RunWithConstantReply(1_000));
        long many = ManagedAllocation.Least(static () => RunWithConstantReply(100_000));
        Assert.InRange(many - few, long.MinValue, 4096);
    }

    private static void RunWithConstantReply(int requests)
    {
        var server = new SimulatedServer(new ManualTimeProvider(), TimeSpan.FromMicroseconds(10));
        Run(server, "-n", $"{requests}", "-c", "4", "-P", "4");
    }

    private static SimulatedServer Stopping() =>
        new(new ManualTimeProvider(), TimeSpan.FromMicroseconds(50)) { Stop = TimeSpan.FromMilliseconds(100) };

    private static CommandResult Run(SimulatedServer server, params string[] arguments)
    {
        using LoadThread thread = Load(server, arguments);
        return Assert.Single(thread.Results);
    }

    private static LoadThread Load(SimulatedServer server, params string[] arguments)
    {
        var thread = new LoadThread(Plan(arguments), 0, server, server.Clock);
        thread.Connect();
        thread.Run(server.Clock.GetTimestamp());
        return thread;
    }

    private static void AssertFails(SimulatedServer server, string reason, params string[] arguments)
    {
        BenchException failure = Assert.Throws<BenchException>(() => Run(server, arguments));
        Assert.StartsWith("simulated: ", failure.Message, StringComparison.Ordinal);
        Assert.Contains(reason, failure.Message, StringComparison.Ordinal);
    }

    private static LoadPlan Plan(params string[] arguments)
    {
        BenchOptions options = TestOptions.Parse(["-t", "ping_inline", .. arguments]);
        var target = new ServerTarget("simulated", new IPEndPoint(IPAddress.Loopback, 1), null, options.Target);
        return new LoadPlan(options, target, WorkloadPlan.Create(options)[0], new ValuePool(options));
    }
}
