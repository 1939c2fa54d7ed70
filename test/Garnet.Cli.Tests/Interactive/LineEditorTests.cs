// The line editor on a terminal whose screen is read. Each test has its own.
using System.Text;
using Garnet.Cli.Connection;
using Garnet.Cli.Interactive;
using Garnet.Cli.Options;
using Garnet.Cli.Tests.Support;
using Garnet.Testing;
using Xunit;

namespace Garnet.Cli.Tests.Interactive;

public sealed class LineEditorTests : IDisposable
{
    private const string Escape = "\u001b";

    private readonly History _history = new(path: null);
    private readonly CommandCatalog _catalog = new();
    private readonly TestServer _server = TestServer.Start();

    public LineEditorTests()
    {
        using var connection = CliConnection.Open(new ConnectionOptions { Port = _server.EndPoint.Port });
        Assert.True(_catalog.Load(connection));
    }

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData("abc\r", "abc")]
    [InlineData("abc\u007f\u007fX\r", "aX")]
    [InlineData("abc\u0001X\u0005Y\r", "XabcY")]
    [InlineData("abc" + Escape + "[D" + Escape + "[DX" + Escape + "[CY\r", "aXbYc")]
    [InlineData("abc" + Escape + "OHX" + Escape + "OFY\r", "XabcY")]
    [InlineData("abc" + Escape + "[1~" + Escape + "[3~\r", "bc")]
    [InlineData("one two three\u0017\r", "one two ")]
    [InlineData("one two" + Escape + "b" + Escape + "bX" + Escape + "fY\r", "XoneY two")]
    [InlineData("one two" + Escape + "[1;5DX\r", "one Xtwo")]
    [InlineData("one two\u0001\u000b\u0019\u0019\r", "one twoone two")]
    [InlineData("one two\u0015\r", "")]
    [InlineData("ab\u0014\r", "ba")]
    [InlineData("one two" + Escape + "b" + Escape + "d\r", "one ")]
    [InlineData("abc\u0001\u0004\r", "bc")]
    [InlineData(Escape + "[200~a\r\nb\rc\nd\u00e2\u0080\u00a8e\u000cf" + Escape + "[201~\r", "a\nb\nc\nd\u2028e\u000cf")]
    [InlineData("abc\u0003", "")]
    [InlineData("abc" + Escape + "[99;99X" + Escape + "[5~\u0000\r", "abc")]
    public void Keys_edit_the_line(string keys, string line) => Assert.Equal(line, Edit(keys));

    // In proportion to its length: a paste of 20,000 words was drawn for minutes.
    [Fact]
    public void A_long_line_is_colored_with_little_work()
    {
        string line = "MSET" + string.Concat(Enumerable.Range(0, 4000).Select(static number => $" key{number}"));
        var colors = new LineColors(_catalog);
        colors.Of("MSET a");
        long before = GC.GetAllocatedBytesForCurrentThread();
        colors.Of(line);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 4 * 1024 * 1024);
    }

    [Theory]
    [InlineData("\u0003")]
    [InlineData("\u0004")]
    [InlineData("")]
    [InlineData("half a line")]
    public void The_session_ends_with_an_empty_line_or_the_terminal(string keys) => Assert.Null(Edit(keys));

    // A family of four is one character of eleven UTF-16 units; the accent is a second one.
    [Theory]
    [InlineData("a\U0001F468\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466b", 1)]
    [InlineData("ae\u0301b", 1)]
    [InlineData("a\u4E16b", 1)]
    public void Characters_are_what_a_reader_takes_for_them(string text, int left)
    {
        string keys = Bytes(text) + string.Concat(Enumerable.Repeat(Escape + "[D", left)) + "\u007f\r";
        Assert.Equal("ab", Edit(keys));
    }

    [Fact]
    public void Long_lines_take_several_rows_and_the_cursor_stays_in_its_place()
    {
        var terminal = new FakeTerminal(20, "0123456789abcdefghijklmnop\u0001X\r");
        (int, int) atEnd = default;
        (int, int) atStart = default;
        int keys = 0;
        terminal.BeforeKey = () =>
        {
            keys++;
            if (keys == 27)
                atEnd = terminal.Cursor;
            if (keys == 28)
                atStart = terminal.Cursor;
        };
        Assert.Equal("X0123456789abcdefghijklmnop", Edit(terminal));
        Assert.Equal((1, 8), atEnd);
        Assert.Equal((0, 2), atStart);
        Assert.Equal(["> X0123456789abcdefg", "hijklmnop"], terminal.Screen.Where(static row => row.Length > 0));
    }

    [Theory]
    [InlineData(20, 12, 3)]
    [InlineData(20, 60, 1)]
    [InlineData(60, 20, 2)]
    [InlineData(14, 28, 1)]
    public void A_terminal_that_is_resized_shows_the_line_once(int before, int after, int rows)
    {
        var terminal = new FakeTerminal(before, "0123456789abcdefghijklmnopX\u007f\u007fY\r");
        int keys = 0;
        terminal.BeforeKey = () =>
        {
            if (++keys == 27)
                terminal.Resize(after);
        };
        Assert.Equal("0123456789abcdefghijklmnoY", Edit(terminal));
        string[] shown = [.. terminal.Screen.Where(static row => row.Length > 0)];
        Assert.Equal("> 0123456789abcdefghijklmnoY", string.Concat(shown));
        Assert.Equal(rows, shown.Length);
    }

    [Fact]
    public void A_row_that_is_exactly_full_and_wide_characters_at_the_edge_are_drawn_as_the_terminal_wraps_them()
    {
        var full = new FakeTerminal(20, "012345678901234567");
        Edit(full);
        Assert.Equal("> 012345678901234567", full.Screen[0]);
        var wide = new FakeTerminal(20, Bytes("01234567890123456\u4E16\u754C\u0002X\r"));
        Assert.Equal("01234567890123456\u4E16X\u754C", Edit(wide));
        Assert.Equal(["> 01234567890123456", "\u4E16X\u754C"], wide.Screen.Where(static row => row.Length > 0));
    }

    [Fact]
    public void A_paste_of_several_lines_is_one_text_and_runs_only_with_enter()
    {
        string keys = Escape + "[200~SET a 1\r\nGET a\n" + Escape + "[201~\r";
        string? text = Edit(keys);
        Assert.Equal("SET a 1\nGET a", text);
        Assert.Equal(["SET a 1", "GET a"], LineWords.Lines(text!));
        Assert.Equal(["ECHO \"a\nb\"", "PING"], LineWords.Lines("ECHO \"a\nb\"\nPING"));
    }

    [Fact]
    public void Control_characters_of_a_paste_are_shown_and_not_obeyed()
    {
        var terminal = new FakeTerminal(40, Escape + "[200~a" + Escape + "[2Jb\u0007" + Escape + "[201~\r");
        Assert.Equal("a\u001b[2Jb\u0007", Edit(terminal));
        Assert.Equal("> a^[[2Jb^G", terminal.Screen[0]);
    }

    [Fact]
    public void An_open_quote_goes_on_in_the_next_row() => Assert.Equal("ECHO \"a\nb\"", Edit("ECHO \"a\rb\"\r"));

    [Fact]
    public void The_history_is_walked_and_the_typed_line_is_kept()
    {
        _history.Add("first", isSecret: false);
        _history.Add("second", isSecret: false);
        const string Up = Escape + "[A";
        const string Down = Escape + "[B";
        Assert.Equal("second", Edit(Up + "\r"));
        Assert.Equal("first", Edit(Up + Up + Up + "\r"));
        Assert.Equal("typed", Edit("typed" + Up + Up + Down + Down + Down + "\r"));
    }

    [Theory]
    [InlineData("\u0012get\r", "GET two")]
    [InlineData("\u0012get\u0012\r", "GET one")]
    [InlineData("\u0012get\u0012\u0012\u0012\r", "GET one")]
    [InlineData("\u0012get o\r", "GET one")]
    [InlineData("\u0012nothing\r", "")]
    [InlineData("typed\u0012get\u0007\r", "typed")]
    [InlineData("\u0012getx\u007f\r", "GET two")]
    [InlineData("\u0012set\u0005 EX 5\r", "SET a 1 EX 5")]
    public void Control_r_searches(string keys, string line)
    {
        foreach (string each in (string[])["GET one", "SET a 1", "GET two"])
            _history.Add(each, isSecret: false);
        Assert.Equal(line, Edit(keys));
    }

    [Theory]
    [InlineData("hinc\t\r", "hincrby")]
    [InlineData("HINC\t\t\r", "HINCRBYFLOAT")]
    [InlineData("HINC\t\t\t\r", "HINC")]
    [InlineData("HINC" + Escape + "[Z\r", "HINCRBYFLOAT")]
    [InlineData("HINC\t\t\u0007\r", "HINC")]
    [InlineData("config rese\t\r", "config resetstat")]
    [InlineData("SET k v KEE\t\r", "SET k v KEEPTTL")]
    [InlineData("help @strea\t\r", "help @stream")]
    [InlineData("nosuchcommand\t\r", "nosuchcommand")]
    public void Tab_completes(string keys, string line) => Assert.Equal(line, Edit(keys));

    [Fact]
    public void Hints_show_the_arguments_and_leave_when_the_line_is_accepted()
    {
        var terminal = new FakeTerminal(60, "getrange key \r");
        string hinted = "";
        int keys = 0;
        terminal.BeforeKey = () => hinted = keys++ == 13 ? terminal.Screen[0] : hinted;
        Edit(terminal);
        Assert.Equal("> getrange key start end", hinted);
        Assert.Equal("> getrange key", terminal.Screen[0]);
    }

    [Fact]
    public void Colors_change_nothing_but_the_color()
    {
        var terminal = new FakeTerminal(60, "SET \"a b\" 12 config get\r") { HasColors = true };
        Assert.Equal("SET \"a b\" 12 config get", Edit(terminal));
        Assert.Equal("> SET \"a b\" 12 config get", terminal.Screen[0]);
        string?[] styles = new LineColors(_catalog).Of("CONFIG GET x 12 'q'");
        Assert.NotNull(styles[0]);
        Assert.Equal(styles[0], styles[8]);
        Assert.Null(styles[6]);
        Assert.Null(styles[11]);
        Assert.NotEqual(styles[13], styles[17]);
    }

    [Fact]
    public void Control_z_stops_the_process_and_the_line_is_drawn_again()
    {
        var terminal = new FakeTerminal(40, "GET\u001a k\r");
        Assert.Equal("GET k", Edit(terminal));
        Assert.Equal(1, terminal.Suspensions);
        Assert.False(terminal.IsRaw);
        Assert.Equal(["> GET", "> GET k"], terminal.Screen);
    }

    private string? Edit(string keys) => Edit(new FakeTerminal(60, keys));

    private string? Edit(FakeTerminal terminal) =>
        new LineEditor(terminal, _history, new Completer(_catalog), new LineColors(_catalog)).ReadLine("> ");

    private static string Bytes(string text) => Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(text));
}
