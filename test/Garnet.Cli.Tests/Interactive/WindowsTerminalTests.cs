// Windows' console on any system: which keys do what, what the console is told, and a whole session. The calls into Windows are not tested.
using System.Text;
using Garnet.Cli.Connection;
using Garnet.Cli.Interactive;
using Garnet.Cli.Options;
using Garnet.Cli.Output;
using Garnet.Cli.Tests.Support;
using Garnet.Testing;
using Xunit;

namespace Garnet.Cli.Tests.Interactive;

public sealed class WindowsTerminalTests
{
    private const ConsoleModifiers AltGr = ConsoleModifiers.Control | ConsoleModifiers.Alt;

    private readonly FakeWindowsConsole _console = new();
    private readonly CapturedOutput _output = new();

    [Theory]
    [InlineData(ConsoleKey.Enter, '\r', ConsoleModifiers.None, nameof(EditKey.Enter))]
    [InlineData(ConsoleKey.Tab, '\t', ConsoleModifiers.None, nameof(EditKey.Tab))]
    [InlineData(ConsoleKey.Tab, '\t', ConsoleModifiers.Shift, nameof(EditKey.BackTab))]
    [InlineData(ConsoleKey.Backspace, '\b', ConsoleModifiers.None, nameof(EditKey.Backspace))]
    [InlineData(ConsoleKey.Backspace, '\u007f', ConsoleModifiers.Control, nameof(EditKey.DeleteWordLeft))]
    [InlineData(ConsoleKey.Delete, '\0', ConsoleModifiers.None, nameof(EditKey.Delete))]
    [InlineData(ConsoleKey.Delete, '\0', ConsoleModifiers.Control, nameof(EditKey.DeleteWordRight))]
    [InlineData(ConsoleKey.LeftArrow, '\0', ConsoleModifiers.None, nameof(EditKey.Left))]
    [InlineData(ConsoleKey.LeftArrow, '\0', ConsoleModifiers.Control, nameof(EditKey.WordLeft))]
    [InlineData(ConsoleKey.RightArrow, '\0', ConsoleModifiers.Alt, nameof(EditKey.WordRight))]
    [InlineData(ConsoleKey.UpArrow, '\0', ConsoleModifiers.None, nameof(EditKey.Up))]
    [InlineData(ConsoleKey.DownArrow, '\0', ConsoleModifiers.None, nameof(EditKey.Down))]
    [InlineData(ConsoleKey.Home, '\0', ConsoleModifiers.None, nameof(EditKey.Home))]
    [InlineData(ConsoleKey.End, '\0', ConsoleModifiers.None, nameof(EditKey.End))]
    [InlineData(ConsoleKey.Escape, '\u001b', ConsoleModifiers.None, nameof(EditKey.Cancel))]
    [InlineData(ConsoleKey.A, '\u0001', ConsoleModifiers.Control, nameof(EditKey.Home))]
    [InlineData(ConsoleKey.C, '\u0003', ConsoleModifiers.Control, nameof(EditKey.Interrupt))]
    [InlineData(ConsoleKey.D, '\u0004', ConsoleModifiers.Control, nameof(EditKey.EndOrDelete))]
    [InlineData(ConsoleKey.R, '\u0012', ConsoleModifiers.Control, nameof(EditKey.Search))]
    [InlineData(ConsoleKey.Z, '\u001a', ConsoleModifiers.Control, nameof(EditKey.Suspend))]
    [InlineData(ConsoleKey.B, 'b', ConsoleModifiers.Alt, nameof(EditKey.WordLeft))]
    [InlineData(ConsoleKey.F, 'f', ConsoleModifiers.Alt, nameof(EditKey.WordRight))]
    [InlineData(ConsoleKey.D, 'd', ConsoleModifiers.Alt, nameof(EditKey.DeleteWordRight))]
    [InlineData(ConsoleKey.X, 'x', ConsoleModifiers.Alt, nameof(EditKey.None))]
    [InlineData(ConsoleKey.F5, '\0', ConsoleModifiers.None, nameof(EditKey.None))]
    [InlineData(ConsoleKey.Spacebar, '\0', ConsoleModifiers.Control, nameof(EditKey.None))]
    public void Keys_do_what_they_do_on_other_terminals(ConsoleKey key, char character, ConsoleModifiers modifiers, string expected)
    {
        _console.Press(key, character, modifiers);
        Assert.Equal(new KeyPress(Enum.Parse<EditKey>(expected)), Terminal().ReadKey());
    }

    // With AltGr, keyboards of many countries type @, {, [, \ and others.
    [Theory]
    [InlineData(ConsoleKey.A, 'A', ConsoleModifiers.Shift)]
    [InlineData(ConsoleKey.Q, '@', AltGr)]
    [InlineData(ConsoleKey.Oem4, '\\', AltGr)]
    [InlineData(ConsoleKey.Oem1, 'é', ConsoleModifiers.None)]
    [InlineData(ConsoleKey.None, '漢', ConsoleModifiers.None)]
    public void Characters_are_text(ConsoleKey key, char character, ConsoleModifiers modifiers)
    {
        _console.Press(key, character, modifiers);
        Assert.Equal(new KeyPress(EditKey.Text, character.ToString()), Terminal().ReadKey());
    }

    [Fact]
    public void A_character_that_comes_as_two_keys_is_one()
    {
        _console.Type("😀x");
        WindowsTerminal terminal = Terminal();
        Assert.Equal(new KeyPress(EditKey.Text, "😀"), terminal.ReadKey());
        Assert.Equal(new KeyPress(EditKey.Text, "x"), terminal.ReadKey());
    }

    [Fact]
    public void A_key_is_waited_for_until_there_is_one_or_the_wait_is_ended()
    {
        var console = new FakeWindowsConsole { QuietPolls = 2 };
        console.Type("x");
        Assert.True(Terminal(console).WaitForKey(CancellationToken.None));
        Assert.Equal(3, console.Polls);
        using var end = new CancellationTokenSource();
        end.Cancel();
        Assert.False(Terminal().WaitForKey(end.Token));
    }

    // The output of commands has line feeds alone, and Ctrl+C is to end what they wait for.
    [Fact]
    public void While_commands_run_the_console_is_as_they_need_it()
    {
        WindowsTerminal terminal = Terminal();
        terminal.EnterRawMode();
        Assert.Equal((true, 3 | IWindowsConsole.WrapsLate), (_console.TakesControlCAsKey, _console.OutputMode!.Value));
        terminal.LeaveRawMode();
        Assert.Equal((false, 3u), (_console.TakesControlCAsKey, _console.OutputMode!.Value));
    }

    [Fact]
    public void A_run_gives_the_console_back_as_it_was()
    {
        using (new WindowsScreen(_console))
            Assert.Equal((65001u, 3 | IWindowsConsole.ObeysSequences), (_console.OutputPage, _console.OutputMode!.Value));
        Assert.Equal((850u, 3u), (_console.OutputPage, _console.OutputMode!.Value));
    }

    [Fact]
    public void Without_a_console_nothing_is_changed()
    {
        var console = new FakeWindowsConsole { OutputMode = null, Columns = 0 };
        using (new WindowsScreen(console))
        {
            WindowsTerminal terminal = Terminal(console);
            terminal.EnterRawMode();
            terminal.LeaveRawMode();
            Assert.Equal(80, terminal.Columns);
        }

        Assert.Equal((850u, null), (console.OutputPage, console.OutputMode));
    }

    [Fact]
    public void Colours_are_left_out_if_the_environment_says_so()
    {
        Assert.True(Terminal().HasColors);
        Assert.False(new WindowsTerminal(_console, _output, static name => name == "NO_COLOR" ? "1" : null).HasColors);
    }

    [Fact]
    public void A_session_runs_on_it()
    {
        using var server = TestServer.Start();
        _console.Type("SET k é😀");
        _console.Press(ConsoleKey.Home);
        _console.Press(ConsoleKey.Delete, modifiers: ConsoleModifiers.Control);
        _console.Type("set\r");
        _console.Type("GET k\r");
        // Gives the line up; then the session ends.
        _console.Type("nosuch");
        _console.Press(ConsoleKey.C, '\u0003', ConsoleModifiers.Control);
        _console.Type("quit\r");
        var host = new CliHost(static () => Stream.Null, _output, _output, static name => name == "GARNETCLI_HISTFILE" ? "/dev/null" : null)
        {
            InputIsTerminal = true,
            OutputIsTerminal = true,
            ErrorIsTerminal = true,
        };
        CliOptions options = new CliOptionReader(["-p", $"{server.EndPoint.Port}", "--raw"]).Read(outputIsTerminal: true, host.Variable);
        var printer = new ReplyPrinter(options.Output, host.Output);
        using var session = new CliSession(options, printer, static _ => { });
        Assert.Equal(0, new InteractiveMode(options, host, session, printer, Terminal()).Run());
        Assert.Contains("OK\n", Encoding.UTF8.GetString(_output.Bytes));
        Assert.Contains("é😀\n", Encoding.UTF8.GetString(_output.Bytes));
        Assert.DoesNotContain("unknown command", Encoding.UTF8.GetString(_output.Bytes));
        Assert.Equal((false, 3u), (_console.TakesControlCAsKey, _console.OutputMode!.Value));
        using RespExchange client = server.Connect();
        Assert.Equal("$6\r\né😀\r\n", client.ExecuteText("GET", "k"));
    }

    private WindowsTerminal Terminal(FakeWindowsConsole? console = null) => new(console ?? _console, _output, static _ => null);
}
