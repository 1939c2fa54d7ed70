// Sessions of the built command on a pseudo terminal. Each test has its server and folder.
using System.Diagnostics;
using Garnet.Cli.Tests.Support;
using Garnet.Testing;
using Xunit;

namespace Garnet.Cli.Tests;

public sealed class TerminalTests : IDisposable
{
    private const string End = "\u0004";

    private readonly TestServer _server = TestServer.Start();
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-terminal-").FullName;

    public void Dispose()
    {
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [PeerFact(TerminalSession.Peer)]
    public void Commands_are_typed_and_remembered_without_passwords()
    {
        using (TerminalSession session = Open())
        {
            session.WaitFor(Prompt);
            session.Type("SET greeting \"hello \u4e16\u754c\"\r");
            session.WaitFor("OK\r\n");
            session.Type("AUTH user secret\r");
            session.WaitFor("(error) WRONGPASS");
            session.Type("SELECT 3\r");
            session.WaitFor(Address + "[3]> ");
            session.Type("MULTI\r");
            session.WaitFor(Address + "[3](TX)> ");
            session.Type("DISCARD\r");
            session.WaitFor(Address + "[3]> ");
            session.Type(End);
            Assert.Equal(0, session.WaitForExit());
        }

        Assert.DoesNotContain("secret", File.ReadAllText(HistoryPath), StringComparison.Ordinal);
        using TerminalSession next = Open();
        next.WaitFor(Prompt);
        next.Type("\u0012greet");
        next.WaitFor("reverse-i-search)`greet': ");
        next.Type("\r");
        next.WaitFor("OK\r\n");
        next.Type("get gree\u0001\u0005ting\r");
        next.WaitFor("\"hello \\xe4\\xb8\\x96\\xe7\\x95\\x8c\"\r\n");
        next.Type("\t\u0003");
        next.Type("quit\r");
        Assert.Equal(0, next.WaitForExit());
    }

    [PeerFact(TerminalSession.Peer)]
    public void Values_do_not_command_the_terminal()
    {
        using (RespExchange exchange = _server.Connect())
            exchange.Execute("SET", "evil", "\u001b]0;owned\u0007\u001b[2J");
        using TerminalSession session = Open("--raw ");
        session.WaitFor(Prompt);
        session.Type("GET evil\r");
        session.WaitFor("\\x1b]0;owned\\x07\\x1b[2J");
        Assert.DoesNotContain("\u001b]0;owned", session.Shown, StringComparison.Ordinal);
    }

    [PeerFact(TerminalSession.Peer)]
    public void Control_c_ends_what_a_command_is_doing_and_the_session_goes_on()
    {
        using TerminalSession session = Open();
        session.WaitFor(Prompt);
        session.Type("MONITOR\r");
        session.WaitFor("OK\r\n");
        using (RespExchange exchange = _server.Connect())
            exchange.Execute("SET", "seen", "1");
        session.WaitFor("\"SET\" \"seen\" \"1\"");
        session.Type("\u0003");
        session.WaitFor(Prompt);
        session.Type("BLPOP none 0\r");
        WaitForInfo("blocked_clients:1\r");
        session.Type("\u0003");
        session.WaitFor(Prompt);
        session.Type("PING\r");
        session.WaitFor("PONG\r\n");
    }

    [PeerFact(TerminalSession.Peer)]
    public void Messages_are_shown_until_a_key_is_pressed()
    {
        using TerminalSession session = Open();
        session.WaitFor(Prompt);
        session.Type("SUBSCRIBE news\r");
        session.WaitFor("Reading messages...");
        Publish("one");
        session.WaitFor("3) \"one\"\r\n");
        Publish("two");
        session.WaitFor("3) \"two\"\r\n");
        session.WaitFor("Reading messages...");
        session.Type("P");
        session.WaitFor("(subscribed mode)> ");
        session.Type("ING\r");
        session.WaitFor("1) \"pong\"\r\n");
        session.WaitFor("Reading messages...");
        session.Type("\u0003");
        session.WaitFor("Closing current connection.");
        session.WaitFor(Prompt);
        session.Type("PING\r");
        session.WaitFor("PONG\r\n");
    }

    [PeerFact(TerminalSession.Peer)]
    public void A_terminal_of_20_columns_and_one_without_colors_work()
    {
        using TerminalSession narrow = Open("", 20, new Dictionary<string, string> { ["TERM"] = "dumb" });
        narrow.WaitFor("> ");
        narrow.Type("ECHO 0123456789012345678901234567890123456789\r");
        narrow.WaitFor("\"0123456789012345678901234567890123456789\"");
        narrow.Type("help\r");
        narrow.WaitFor("help @<group>");
        Assert.DoesNotContain("\u001b[1;36m", narrow.Shown, StringComparison.Ordinal);
    }

    [PeerFact(TerminalSession.Peer)]
    public void A_session_outlives_its_connection()
    {
        using TerminalSession session = Open();
        session.WaitFor(Prompt);
        using (RespExchange exchange = _server.Connect())
            exchange.Execute("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        session.Type("PING\r");
        session.WaitFor("Error: ");
        session.WaitFor("not connected> ");
        session.Type("PING\r");
        session.WaitFor("PONG\r\n");
        session.WaitFor(Prompt);
        session.Type("connect 127.0.0.1 1\r");
        session.WaitFor("Could not connect to the server at 127.0.0.1:1: ");
        session.WaitFor("not connected> ");
        session.Type($"connect 127.0.0.1 {_server.EndPoint.Port}\r");
        session.WaitFor(Prompt);
        session.Type("connect elsewhere 70000\r");
        session.WaitFor("Invalid port '70000': it is a number from 1 to 65535.");
        session.WaitFor(Prompt);
        session.Type("PING\r");
        session.WaitFor("PONG\r\n");
        session.WaitFor(Prompt);
        session.Type(End);
        Assert.Equal(0, session.WaitForExit());
    }

    // Terminals in raw mode show no line ends, and pass no Ctrl+C on: the shell behind the client would be of no use.
    [PeerFact(TerminalSession.Peer)]
    public void A_signal_at_the_prompt_leaves_the_terminal_as_it_was()
    {
        EndAtPrompt("TERM", isConnected: true);
        EndAtPrompt("QUIT", isConnected: true);
        EndAtPrompt("INT", isConnected: false);
    }

    private void EndAtPrompt(string signal, bool isConnected)
    {
        string port = isConnected ? $"{_server.EndPoint.Port}" : "1";
        using var session = new TerminalSession(
            $"-p {port}",
            variables: new Dictionary<string, string> { ["GARNETCLI_HISTFILE"] = HistoryPath },
            behind: "stty -a"
        );
        session.WaitFor("process ");
        session.WaitFor("> ");
        Signal(session, signal);
        session.WaitFor("\u001b[?2004l");
        session.WaitFor(" icanon ");
        Assert.DoesNotContain("-icanon", session.Shown, StringComparison.Ordinal);
    }

    [PeerFact(TerminalSession.Peer)]
    public void A_command_behind_a_late_interruption_runs()
    {
        using var session = new TerminalSession(
            $"-p {_server.EndPoint.Port}",
            variables: new Dictionary<string, string> { ["GARNETCLI_HISTFILE"] = HistoryPath },
            behind: "true"
        );
        session.WaitFor("process ");
        session.WaitFor(Prompt);
        Signal(session, "INT");
        // Not before the signal has ended the connection: it would end the command.
        WaitForInfo("connected_clients:1\r");
        session.Type("ECHO here\r");
        session.WaitFor("\"here\"\r\n");
    }

    [PeerFact(TerminalSession.Peer)]
    public void Control_c_ends_the_wait_for_a_server_that_is_gone()
    {
        using var gone = ScriptedServer.Once([]);
        using var session = new TerminalSession($"-p {gone.Port} --latency");
        session.WaitFor("reconnecting");
        session.Type("\u0003");
        session.WaitForExit();
    }

    [PeerFact(TerminalSession.Peer)]
    public void A_replica_prints_changes_until_control_c()
    {
        using (RespExchange exchange = _server.Connect())
        {
            exchange.Execute("CONFIG", "SET", "repl-diskless-sync-delay", "0");
            exchange.Execute("SET", "before", "1");
        }

        using var session = new TerminalSession($"-p {_server.EndPoint.Port} --replica");
        session.WaitFor("Logging commands from the server.");
        using (RespExchange exchange = _server.Connect())
        {
            exchange.Execute("SET", "seen", "two words");
            exchange.Execute("HSET", "hash", "field", "line\n");
        }

        session.WaitFor("\"SET\",\"seen\",\"two words\"\r\n");
        session.WaitFor("\"HSET\",\"hash\",\"field\",\"line\\n\"\r\n");
        Assert.DoesNotContain("before", session.Shown, StringComparison.Ordinal);
        session.Type("\u0003");
        session.WaitForExit();
    }

    // The editor asks the system for the width at each key.
    [PeerFact(TerminalSession.Peer)]
    public void A_terminal_that_is_resized_wraps_the_line_anew()
    {
        using var session = new TerminalSession(
            $"-p {_server.EndPoint.Port}",
            variables: new Dictionary<string, string> { ["GARNETCLI_HISTFILE"] = HistoryPath, ["TERM"] = "dumb" },
            behind: "true"
        );
        session.WaitFor("process ");
        session.WaitFor(Prompt);
        session.Type("ECHO abcdefghijklmnopqrstuvwxyz");
        session.WaitFor("wxyz");
        session.Resize(20);
        session.Type("0");
        // The prompt and the text are a row of a hundred columns, and three of twenty: the redraw begins two rows above the cursor.
        session.WaitFor("\u001b[2A\r\u001b[J" + Prompt);
        session.Type("\r");
        session.WaitFor("\"abcdefghijklmnopqrstuvwxyz0\"\r\n");
    }

    [PeerFact(TerminalSession.Peer)]
    public void A_password_is_asked_for_and_not_shown()
    {
        using var server = TestServer.Start(static options => options.Password = "letmein");
        using var session = new TerminalSession($"-p {server.EndPoint.Port} --askpass PING");
        session.WaitFor("Please input password: ");
        session.Type("letmeinn\u007f\r");
        session.WaitFor("PONG\r\n");
        Assert.Equal(0, session.WaitForExit());
        Assert.DoesNotContain("letmein", session.Shown, StringComparison.Ordinal);
    }

    private static void Signal(TerminalSession session, string signal)
    {
        using var kill = Process.Start("kill", ["-s", signal, $"{session.ProcessId}"]);
        kill.WaitForExit();
    }

    private string HistoryPath => Path.Combine(_folder, "history");

    private string Address => _server.EndPoint.ToString();

    private string Prompt => Address + "> ";

    private TerminalSession Open(string arguments = "", int columns = 100, Dictionary<string, string>? variables = null)
    {
        variables ??= [];
        variables["GARNETCLI_HISTFILE"] = HistoryPath;
        return new TerminalSession($"{arguments}-p {_server.EndPoint.Port}", columns, variables);
    }

    private void Publish(string message)
    {
        using RespExchange exchange = _server.Connect();
        Assert.Equal(":1\r\n", exchange.ExecuteText("PUBLISH", "news", message));
    }

    private void WaitForInfo(string line)
    {
        using RespExchange exchange = _server.Connect();
        while (!exchange.ExecuteText("INFO", "clients").Contains(line, StringComparison.Ordinal))
            Thread.Sleep(10);
    }
}
