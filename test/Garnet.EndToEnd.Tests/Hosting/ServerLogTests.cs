// The stand-alone server's log: each message is one line, whatever it quotes, and a log that cannot be written stops nothing. Temporary
// files.
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using Garnet.Hosting.Logging;
using Garnet.Testing;
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
    [LinuxFact]
    public void A_log_on_a_full_disk_does_not_affect_clients()
    {
        using var loggers = new ServerLoggerFactory(new GarnetOptions { LogFile = "/dev/full" }, TimeProvider.System);
        for (int i = 0; i < 3; i++)
            loggers.CreateLogger("any").LogWarning("message {Number}", i);
    }

    [Theory]
    [InlineData(LogFormat.Legacy, LogTimestampFormat.Iso8601, "{0}:M 2026-11-21T11:30:12.345+01:00 # say \"hi\" to c:\\ \\x0a")]
    [InlineData(LogFormat.Legacy, LogTimestampFormat.Milliseconds, "{0}:M 1795257012345 # say \"hi\" to c:\\ \\x0a")]
    [InlineData(
        LogFormat.LogFmt,
        LogTimestampFormat.Legacy,
        "pid={0} role=primary timestamp=\"21 Nov 2026 11:30:12.345\" level=warning message=\"say \\x22hi\\x22 to c:\\x5c \\x0a\""
    )]
    [InlineData(
        LogFormat.Json,
        LogTimestampFormat.Milliseconds,
        "{{\"pid\":{0},\"role\":\"primary\",\"timestamp\":\"1795257012345\",\"level\":\"warning\",\"message\":\"say \\u0022hi\\u0022 to c:\\\\ \\n\"}}"
    )]
    public void Lines_are_in_the_format_that_is_configured(LogFormat format, LogTimestampFormat timestamps, string expected)
    {
        var time = new DateTimeOffset(2026, 11, 21, 11, 30, 12, 345, TimeSpan.FromHours(1));
        var options = new GarnetOptions { LogFormat = format, LogTimestampFormat = timestamps };
        Assert.Equal(
            string.Format(CultureInfo.InvariantCulture, expected, Environment.ProcessId) + "\n",
            LogLine.Format(options, isReplica: false, time, '#', "say \"hi\" to c:\\ \n", null)
        );
        string replica = LogLine.Format(options, isReplica: true, time, '*', "m", null);
        Assert.Contains(format == LogFormat.Legacy ? $"{Environment.ProcessId}:S " : "replica", replica, StringComparison.Ordinal);
    }

    [Fact]
    public void The_format_changes_while_the_server_runs()
    {
        string path = Path.Combine(_folder, "log");
        using var garnet = GarnetProcess.Start("--logfile", path, "--log-format", "logfmt");
        Assert.All(File.ReadAllLines(path), static line => Assert.StartsWith("pid=", line, StringComparison.Ordinal));
        using (RespExchange client = garnet.Connect())
            Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "log-format", "json", "log-timestamp-format", "iso8601"));
        garnet.Signal("TERM");
        Assert.Equal(0, garnet.WaitForExit(TimeSpan.FromSeconds(30)));
        using var last = JsonDocument.Parse(File.ReadLines(path).Last());
        Assert.Equal("Bye", last.RootElement.GetProperty("message").GetString());
        Assert.True(last.RootElement.GetProperty("timestamp").TryGetDateTimeOffset(out _));
    }

    [Fact]
    public void The_log_of_the_system_gets_the_messages_too()
    {
        string socket = Path.Combine(_folder, "log.socket");
        using var system = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified) { ReceiveTimeout = 120_000 };
        system.Bind(new UnixDomainSocketEndPoint(socket));
        var options = new GarnetOptions
        {
            LogFile = Path.Combine(_folder, "log"),
            SyslogEnabled = true,
            SyslogIdent = "cache",
            SyslogFacility = SyslogFacility.Local3,
        };
        using var loggers = new ServerLoggerFactory(options, TimeProvider.System, socket);
        loggers.CreateLogger("any").LogWarning("first\nsecond");
        loggers.CreateLogger("any").LogInformation("third");
        byte[] datagram = new byte[1000];
        // Local use 3 is facility 19; a warning has severity 4, a notice 5.
        Assert.Equal($"<156>cache[{Environment.ProcessId}]: first\\x0asecond", Receive());
        Assert.Equal($"<157>cache[{Environment.ProcessId}]: third", Receive());
        system.Dispose();
        File.Delete(socket);
        // A log of the system that is gone does not affect the server's own.
        loggers.CreateLogger("any").LogInformation("fourth");
        Assert.EndsWith(" * fourth", File.ReadLines(options.LogFile).Last(), StringComparison.Ordinal);

        string Receive() => Encoding.UTF8.GetString(datagram, 0, system.Receive(datagram));
    }

    [Fact]
    public void A_system_without_a_log_is_an_error()
    {
        var options = new GarnetOptions { SyslogEnabled = true };
        string missing = Path.Combine(_folder, "none");
        OptionException error = Assert.Throws<OptionException>(() => new ServerLoggerFactory(options, TimeProvider.System, missing));
        Assert.Equal($"syslog-enabled yes: this system has no log at {missing} (allowed here: no)", error.Message);
    }
}
