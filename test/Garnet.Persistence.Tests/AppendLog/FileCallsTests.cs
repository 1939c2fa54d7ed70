// How the runtime's exceptions become the numbers that the log tells people. Pure functions.
using Garnet.Persistence.AppendLog;
using Xunit;

namespace Garnet.Persistence.Tests.AppendLog;

public sealed class FileCallsTests
{
    [Fact]
    public void An_exception_tells_the_number_of_the_system()
    {
        const int NoSpace = 28,
            WindowsDiskFull = 112;
        Assert.Equal(NoSpace, FileCalls.NumberOf(new IOException("no space", NoSpace)));
        Assert.Equal(WindowsDiskFull, FileCalls.NumberOf(new IOException("full", unchecked((int)0x80070070))));
        Assert.Equal(FileCalls.InputOutput, FileCalls.NumberOf(new IOException("of no system")));
        Assert.Equal(FileCalls.InputOutput, FileCalls.NumberOf(new UnauthorizedAccessException()));
    }

    [Fact]
    public void A_folder_that_is_not_there_cannot_be_synced()
    {
        const int NoSuchEntry = 2;
        Assert.Equal(
            OperatingSystem.IsWindows() ? 0 : NoSuchEntry,
            FileCalls.SyncFolder(Path.Combine(Path.GetTempPath(), Guid.NewGuid().ToString("N")))
        );
    }
}
