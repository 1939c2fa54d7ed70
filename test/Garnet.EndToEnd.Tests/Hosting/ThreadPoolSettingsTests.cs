// The thread pool's bounds. It is the test process's own pool, so the bounds are only widened here and then restored.
using Garnet.Hosting;
using Xunit;

namespace Garnet.EndToEnd.Tests.Hosting;

[Collection(WholeProcessCollection.Name)]
public sealed class ThreadPoolSettingsTests : IDisposable
{
    private readonly (int Min, int MinIO, int Max, int MaxIO) _before = Bounds;

    private static (int Min, int MinIO, int Max, int MaxIO) Bounds
    {
        get
        {
            ThreadPool.GetMinThreads(out int min, out int minIO);
            ThreadPool.GetMaxThreads(out int max, out int maxIO);
            return (min, minIO, max, maxIO);
        }
    }

    public void Dispose()
    {
        ThreadPool.SetMinThreads(_before.Min, _before.MinIO);
        ThreadPool.SetMaxThreads(_before.Max, _before.MaxIO);
    }

    [Fact]
    public void Specified_bounds_are_set_and_others_stay()
    {
        ThreadPoolSettings.Apply(new GarnetOptions { ThreadPoolMinThreads = 64, ThreadPoolMaxIOCompletionThreads = 500 });
        Assert.Equal((64, _before.MinIO, _before.Max, 500), Bounds);
    }

    [Fact]
    public void All_bounds_can_be_set_at_once_and_again_lower()
    {
        ThreadPoolSettings.Apply(Options(300, 400, 310, 410));
        Assert.Equal((300, 310, 400, 410), Bounds);
        ThreadPoolSettings.Apply(Options(100, 200, 110, 210));
        Assert.Equal((100, 110, 200, 210), Bounds);
    }

    [Fact]
    public void Bounds_below_the_number_of_processors_are_refused()
    {
        if (Environment.ProcessorCount == 1)
            return;
        OptionException refused = Assert.Throws<OptionException>(() =>
            ThreadPoolSettings.Apply(new GarnetOptions { ThreadPoolMaxThreads = 1 })
        );
        Assert.StartsWith("thread-pool-max-threads 1: must be at least ", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_minimum_above_the_runtime_s_maximum_is_refused()
    {
        ThreadPoolSettings.Apply(new GarnetOptions { ThreadPoolMaxThreads = 600 });
        OptionException refused = Assert.Throws<OptionException>(() =>
            ThreadPoolSettings.Apply(new GarnetOptions { ThreadPoolMinThreads = 601 })
        );
        Assert.StartsWith("thread-pool-min-threads 601: must be at most 600", refused.Message, StringComparison.Ordinal);
    }

    private static GarnetOptions Options(int min, int max, int minIO, int maxIO) =>
        new()
        {
            ThreadPoolMinThreads = min,
            ThreadPoolMaxThreads = max,
            ThreadPoolMinIOCompletionThreads = minIO,
            ThreadPoolMaxIOCompletionThreads = maxIO,
        };
}
