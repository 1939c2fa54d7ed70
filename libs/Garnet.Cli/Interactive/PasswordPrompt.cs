// --askpass. One thread, at start.
using System.Runtime.InteropServices;
using System.Text;
using Garnet.Cli.Modes;

namespace Garnet.Cli.Interactive;

/// <summary>Asks for the password without showing it; without a terminal it is the first line of standard input.</summary>
internal static class PasswordPrompt
{
    private const string Text = "Please input password: ";

    /// <summary>Reads the password.</summary>
    /// <exception cref="CliException">The user gave up.</exception>
    public static string Read(CliHost host, ITerminal? terminal)
    {
        if (terminal is null)
            return ReadLine(host);
        using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, _ => terminal.LeaveRawMode());
        var password = new LineBuffer();
        terminal.EnterRawMode();
        try
        {
            terminal.Write(Text);
            while (true)
            {
                KeyPress key = terminal.ReadKey();
                if (key.Key == EditKey.Enter)
                    return password.Text;
                if (key.Key is EditKey.Interrupt or EditKey.EndOfInput or EditKey.EndOrDelete)
                    throw new CliException("No password was given");
                if (key.Key is EditKey.Text or EditKey.Paste)
                    password.Insert(key.Text.TrimEnd('\n'));
                else
                    password.Apply(key.Key);
            }
        }
        finally
        {
            terminal.Write("\r\n");
            terminal.LeaveRawMode();
        }
    }

    // Byte by byte: what follows the line is the command's input.
    private static string ReadLine(CliHost host)
    {
        var line = new List<byte>();
        Stream input = host.OpenInput();
        byte[] next = new byte[1];
        while (StandardInput.Read(input, next) > 0 && next[0] != '\n')
            line.Add(next[0]);
        return Encoding.UTF8.GetString([.. line]).TrimEnd('\r');
    }
}
