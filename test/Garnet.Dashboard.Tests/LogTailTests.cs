// The kept lines of the log, which must be nobody's trouble. Parts alone, with virtual time.
using System.Text;
using Garnet.Hosting.Dashboard;
using Garnet.Testing;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class LogTailTests
{
    [Fact]
    public void Nothing_is_kept_before_it_is_switched_on()
    {
        using LogTail tail = NewTail();
        ILogger log = tail.CreateLogger("x");
        log.LogInformation("before");
        tail.SwitchOn();
        log.LogInformation("after");
        log.LogDebug("too small");
        Assert.Equal("2030-01-01 00:00:00Z notice after", Assert.Single(tail.Lines));
    }

    [Fact]
    public void A_message_that_cannot_be_written_harms_nobody()
    {
        using LogTail tail = NewTail();
        tail.SwitchOn();
        tail.CreateLogger("x").Log(LogLevel.Warning, 0, 0, null, static (_, _) => throw new FormatException());
        Assert.EndsWith("warning a message that cannot be written (FormatException)", Assert.Single(tail.Lines));
    }

    [Fact]
    public void A_line_of_any_length_and_content_is_one_short_line()
    {
        using LogTail tail = NewTail();
        tail.SwitchOn();
        ILogger log = tail.CreateLogger("x");
        log.LogInformation("{Text}", new string('\n', 10_000_000));
        log.LogInformation("{Text}", "<script>\u001b[0m\r\n");
        Assert.InRange(tail.Lines[0].Length, 1, 4000);
        Assert.All(tail.Lines, static line => Assert.DoesNotContain(line, char.IsControl));
    }

    [Theory]
    [InlineData(498)]
    [InlineData(499)]
    [InlineData(500)]
    public void No_character_is_cut_in_two(int letters)
    {
        using LogTail tail = NewTail();
        tail.SwitchOn();
        tail.CreateLogger("x").LogInformation("{Text}", new string('x', letters) + "\U0001F468 and more");
        Assert.DoesNotContain(Assert.Single(tail.Lines).EnumerateRunes(), static rune => rune == Rune.ReplacementChar);
    }

    [Fact]
    public void Of_many_lines_of_many_threads_the_latest_are_kept_in_order()
    {
        using LogTail tail = NewTail();
        tail.SwitchOn();
        ILogger log = tail.CreateLogger("x");
        Parallel.For(0, 8, thread => Enumerable.Range(0, 1000).ToList().ForEach(i => log.LogInformation("{Thread} {I}", thread, i)));
        for (int i = 0; i < 150; i++)
            log.LogInformation("last {I}", i);
        Assert.Equal(200, tail.Lines.Count);
        Assert.Equal(Enumerable.Range(0, 150).Select(static i => $"2030-01-01 00:00:00Z notice last {i}"), tail.Lines.Skip(50));
    }

    private static LogTail NewTail() => new(NullLoggerFactory.Instance, new ManualTimeProvider());
}
