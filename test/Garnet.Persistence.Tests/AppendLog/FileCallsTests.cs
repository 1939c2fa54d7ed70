// Maps the runtime's exceptions to the error numbers in the log's messages. Pure functions.
using Garnet.Persistence.AppendLog;
using Xunit;

namespace Garnet.Persistence.Tests.AppendLog;

public sealed class FileCallsTests
{
    [Fact]
    public void An_exception_maps_to_the_system_error_number()
    {
        const int NoSpace = 28,
            WindowsDiskFull = 112;
        Assert.Equal(NoSpace, FileCalls.NumberOf(new IOException("no space", NoSpace)));
        Assert.Equal(WindowsDiskFull, FileCalls.NumberOf(new IOException("full", unchecked((int)0x80070070))));
        Assert.Equal(FileCalls.InputOutput, FileCalls.NumberOf(new IOException("of no system")));
        Assert.Equal(FileCalls.InputOutput, FileCalls.NumberOf(new UnauthorizedAccessException()));
    }

    [Fact]
    public void A_missing_folder_cannot_be_synced()
    {
        const int NoSuchEntry = 2;
        Assert.Equal(
            OperatingSystem.IsWindows() ? 0 : NoSuchEntry,
            FileCalls.SyncFolder(Path.Combine(Path.GetTempPath(), Guid.NewGuid().ToString("N")))
        );
    }
}
