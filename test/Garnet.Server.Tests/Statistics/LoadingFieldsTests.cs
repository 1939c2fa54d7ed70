// INFO persistence while data is loaded. One thread.
using Garnet.Persistence.Rdb;
using Garnet.Server.Basics;
using Xunit;

namespace Garnet.Server.Tests.Statistics;

public sealed class LoadingFieldsTests
{
    // A snapshot from a pipe, or from a primary that writes none, does not say how long it is. The start is long ago.
    [Theory]
    [InlineData(-1, 0, "loading_total_bytes:0\r\nloading_loaded_bytes:0\r\nloading_loaded_perc:0.00\r\nloading_eta_seconds:1\r\n")]
    [InlineData(-1, 700, "loading_total_bytes:0\r\nloading_loaded_bytes:700\r\nloading_loaded_perc:0.00\r\nloading_eta_seconds:1\r\n")]
    [InlineData(
        1000,
        1000,
        "loading_total_bytes:1000\r\nloading_loaded_bytes:1000\r\nloading_loaded_perc:100.00\r\nloading_eta_seconds:0\r\n"
    )]
    public void Loading_is_told_whether_its_size_is_known_or_not(long total, long loaded, string expected)
    {
        using InProcessServer server = new();
        RdbLoadProgress progress = new() { TotalBytes = total };
        progress.SetLoaded(loaded);
        server.Server.Persistence.Loading = new LoadingStatus(1) { Snapshot = progress };
        Assert.Contains(expected, server.Call("INFO", "persistence"), StringComparison.Ordinal);
        server.Server.Persistence.Loading = null;
    }

    [Theory]
    [InlineData(-1, 700, "700 bytes")]
    [InlineData(1000, 250, "25 % of 1000 bytes")]
    public void The_reason_why_it_is_not_ready_names_no_size_that_is_unknown(long total, long loaded, string expected)
    {
        RdbLoadProgress progress = new() { TotalBytes = total };
        progress.SetLoaded(loaded);
        Assert.Equal(expected, new LoadingStatus(1) { Snapshot = progress }.Progress);
    }
}
