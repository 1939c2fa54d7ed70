// The number of I/O threads that the policy chooses under simulated loads.
using Garnet.Hosting.Tuning;
using Xunit;

namespace Garnet.EndToEnd.Tests.Hosting;

public class IoThreadPolicyTests
{
    [Fact]
    public void A_thread_is_added_while_threads_are_busy_and_throughput_grows()
    {
        int threads = Run(new IoThreadPolicy(most: 4), samples: 100, capacity: n => n * 100_000, demand: 1_000_000);
        Assert.Equal(4, threads);
    }

    [Fact]
    public void A_thread_without_benefit_is_removed_and_not_tried_again_soon()
    {
        IoThreadPolicy policy = new(most: 4);
        int threads = 1,
            samplesWithMore = 0;
        for (int i = 0; i < 400; i++)
        {
            threads = policy.Next(threads, 1.0, 100_000);
            samplesWithMore += threads > 1 ? 1 : 0;
        }

        Assert.Equal(1, threads);
        Assert.InRange(samplesWithMore, 1, 400 / 10);
    }

    [Fact]
    public void An_idle_server_goes_back_to_one_thread()
    {
        IoThreadPolicy policy = new(most: 4);
        int threads = Run(policy, 100, n => n * 100_000, 1_000_000);
        Assert.Equal(4, threads);
        Assert.Equal(1, Run(policy, 150, n => n * 100_000, 1_000, threads));
    }

    [Fact]
    public void A_moderate_load_adds_nothing()
    {
        Assert.Equal(1, Run(new IoThreadPolicy(most: 4), 200, n => n * 100_000, 70_000));
    }

    [Fact]
    public void There_are_never_more_than_the_maximum()
    {
        Assert.Equal(2, Run(new IoThreadPolicy(most: 2), 200, n => n * 100_000, 1_000_000));
    }

    [Fact]
    public void A_large_machine_is_used_after_few_samples()
    {
        Assert.Equal(16, Run(new IoThreadPolicy(most: 16), samples: 40, capacity: n => n * 100_000, demand: 10_000_000));
    }

    [Fact]
    public void Where_doubling_does_not_pay_fewer_threads_are_tried()
    {
        IoThreadPolicy policy = new(most: 8);
        int threads = Run(policy, samples: 150, capacity: n => n <= 5 ? n * 100_000 : (10 - n) * 100_000, demand: 10_000_000);
        Assert.Equal(5, threads);
    }

    [Fact]
    public void A_load_that_only_begins_is_not_mistaken_for_a_gain()
    {
        IoThreadPolicy policy = new(most: 4);
        int threads = 1;
        for (int i = 0; i < 25; i++)
            threads = policy.Next(threads, 1.0, 100_000 * Math.Pow(1.3, Math.Min(i, 8)));
        Assert.Equal(1, threads);
    }

    private static int Run(IoThreadPolicy policy, int samples, Func<int, double> capacity, double demand, int threads = 1)
    {
        for (int i = 0; i < samples; i++)
        {
            double rate = Math.Min(demand, capacity(threads));
            threads = policy.Next(threads, rate / capacity(threads), rate);
        }

        return threads;
    }
}
