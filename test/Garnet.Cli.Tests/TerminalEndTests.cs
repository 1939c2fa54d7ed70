// Ctrl+C, Ctrl+Z and the end of the terminal, in all modes of the built command. Each test has its server.
using System.Text;
using Garnet.Cli.Tests.Support;
using Garnet.Testing;
using Xunit;

namespace Garnet.Cli.Tests;

public sealed class TerminalEndTests : IDisposable
{
    private const string ControlC = "\u0003";
    private const string ControlZ = "\u001a";

    private static readonly Dictionary<string, string> NoHistory = new() { ["GARNETCLI_HISTFILE"] = "/dev/null" };

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-cli-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    // At a server that has stopped: whatever is waited for, it ends at once, and the terminal is as it was. 130 is the end by the signal
    // itself.
    [PeerFact(TerminalSession.Peer)]
    public void Control_c_ends_every_mode()
    {
        string script = Path.Combine(_folder, "script.lua");
        File.WriteAllText(script, "return 1");
        (string Arguments, string Request, int ExitCode)[] modes =
        [
            ("GET k", "GET", 130),
            ("-r -1 -i 1 PING", "PING", 130),
            ("MONITOR", "MONITOR", 130),
            ("SUBSCRIBE news", "SUBSCRIBE", 130),
            ($"--eval {script}", "EVAL", 130),
            ("--scan", "SCAN", 130),
            ($"--rdb {_folder}/x", "SYNC", 130),
            ("--bigkeys", "SCAN", 0),
            ("--memkeys", "SCAN", 0),
            ("--hotkeys", "SCAN", 0),
            ("--latency", "PING", 0),
            ("--latency-history", "PING", 0),
            ("--latency-dist", "PING", 0),
            ("--stat", "INFO", 0),
            ("--replica", "SYNC", 130),
        ];
        Assert.All(modes, mode => EndAtSilentServer(mode.Arguments, mode.Request, mode.ExitCode));
        Assert.Equal([script], Directory.GetFiles(_folder));
    }

    [PeerFact(TerminalSession.Peer)]
    public void Control_c_ends_what_is_typed_for_a_pipe_or_as_a_password()
    {
        using (TerminalSession pipe = Silent("--pipe", "PING", out ScriptedServer server, out ManualResetEventSlim asked))
        using (server)
        using (asked)
        {
            pipe.Type("PING\r");
            asked.Wait();
            AssertEnds(pipe, 130);
        }

        using (TerminalSession prompt = Silent("--askpass PING", "PING", out ScriptedServer server, out ManualResetEventSlim asked))
        using (server)
        using (asked)
        {
            prompt.WaitFor("Please input password: ");
            AssertEnds(prompt, 1);
        }
    }

    // A shell that knows jobs shows that the process stops, with the terminal as the shell needs it, and goes on.
    [PeerFact(TerminalSession.Peer)]
    public void Control_z_stops_the_process_which_goes_on_where_it_was()
    {
        using var server = TestServer.Start();
        string prompt = $"{server.EndPoint}> ";
        using var session = TerminalSession.OfShell(NoHistory);
        session.WaitFor("shell> ");
        Run(session, $"-p {server.EndPoint.Port}");
        session.WaitFor(prompt);
        session.Type("ECHO go");
        session.WaitFor("go");
        StopAndContinue(session);
        session.Type("ne\r");
        session.WaitFor("\"gone\"\r\n");
        session.WaitFor(prompt);
        session.Type("BLPOP list 0\r");
        using RespExchange client = server.Connect();
        client.AwaitInfo("clients", "blocked_clients:1", TimeSpan.FromMinutes(1));
        StopAndContinue(session);
        client.Execute("LPUSH", "list", "late");
        session.WaitFor("2) \"late\"\r\n");
        session.WaitFor(prompt);
        session.Type("quit\r");
        session.WaitFor("shell> ");
        Run(session, $"-p {server.EndPoint.Port} --stat");
        session.WaitFor("clients");
        StopAndContinue(session);
        // The shell names the job before the terminal is the job's: what it shows then is shown by the job, which Ctrl+C ends alone.
        session.WaitFor("\n");
        session.WaitFor("\n");
        session.Type(ControlC);
        session.WaitFor("shell> ");
        session.Type("exit\r");
        session.WaitForExit();
    }

    // A window that is closed: nothing goes on behind it.
    [PeerFact(TerminalSession.Peer)]
    public void Without_its_terminal_the_process_ends()
    {
        using var server = TestServer.Start();
        using RespExchange client = server.Connect();
        foreach ((string arguments, string sign) in new[] { ("", "> "), ("--stat", "clients"), ("MONITOR", "OK"), ("--latency", "avg") })
        {
            using var session = new TerminalSession($"-p {server.EndPoint.Port} {arguments}", variables: NoHistory, behind: "true");
            session.WaitFor("process ");
            session.WaitFor(sign);
            string process = $"/proc/{session.ProcessId}";
            session.CloseTerminal();
            Assert.True(SpinWait.SpinUntil(() => HasEnded(process), TimeSpan.FromMinutes(1)), arguments);
        }
    }

    // Whoever adopted it may not have taken note of its end.
    private static bool HasEnded(string process)
    {
        try
        {
            return File.ReadAllText($"{process}/stat").Split(") ")[^1][0] == 'Z';
        }
        catch (IOException)
        {
            return true;
        }
    }

    private static void Run(TerminalSession shell, string arguments) => shell.Type($"({TerminalSession.CommandOf(arguments)})\r");

    private static void StopAndContinue(TerminalSession shell)
    {
        shell.Type(ControlZ);
        shell.WaitFor("Stopped");
        shell.WaitFor("shell> ");
        shell.Type("stty -a; fg\r");
        shell.WaitFor(" icanon ");
        shell.WaitFor("cli");
    }

    private static void EndAtSilentServer(string arguments, string request, int exitCode)
    {
        using TerminalSession session = Silent(arguments, request, out ScriptedServer server, out ManualResetEventSlim asked);
        using (server)
        using (asked)
        {
            session.WaitFor("process ");
            asked.Wait();
            AssertEnds(session, exitCode);
        }
    }

    private static TerminalSession Silent(string arguments, string request, out ScriptedServer server, out ManualResetEventSlim asked)
    {
        var isAsked = new ManualResetEventSlim();
        server = new ScriptedServer(text =>
        {
            if (!text.Contains(request, StringComparison.OrdinalIgnoreCase))
                return ":1\r\n"u8.ToArray();
            isAsked.Set();
            return [];
        });
        asked = isAsked;
        return new TerminalSession($"-p {server.Port} {arguments}", behind: "echo exit $?; stty -a");
    }

    private static void AssertEnds(TerminalSession session, int exitCode)
    {
        session.Type(ControlC);
        session.WaitFor($"exit {exitCode}\r\n");
        session.WaitFor(" icanon ");
        Assert.DoesNotContain("-icanon", session.Shown, StringComparison.Ordinal);
        Assert.DoesNotContain("-echo ", session.Shown, StringComparison.Ordinal);
    }
}
