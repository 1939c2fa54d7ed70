// The stand-alone server's log: each message is one line, whatever it quotes, and a log that cannot be written stops nothing. Temporary
// files.
using Garnet.Hosting.Logging;
using Microsoft.Extensions.Logging;
using Xunit;

namespace Garnet.EndToEnd.Tests.Hosting;

public sealed class ServerLogTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-log-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void A_message_that_quotes_line_ends_is_one_line()
    {
        string path = Path.Combine(_folder, "log");
        using (var loggers = new ServerLoggerFactory(new GarnetOptions { LogFile = path }, TimeProvider.System))
            loggers.CreateLogger("any").LogWarning("client {Name}", "x\r\n1:M 01 Jan 2026 00:00:00.000 * forged\0\u001b[2J");
        string line = Assert.Single(File.ReadAllLines(path));
        Assert.EndsWith(" # client x\\x0d\\x0a1:M 01 Jan 2026 00:00:00.000 * forged\\x00\\x1b[2J", line, StringComparison.Ordinal);
    }

    // /dev/full can be opened like a file but has no space, like a full disk.
    [Fact]
    public void A_log_on_a_full_disk_does_not_affect_clients()
    {
        if (!OperatingSystem.IsLinux())
            return;
        using var loggers = new ServerLoggerFactory(new GarnetOptions { LogFile = "/dev/full" }, TimeProvider.System);
        for (int i = 0; i < 3; i++)
            loggers.CreateLogger("any").LogWarning("message {Number}", i);
    }
}
