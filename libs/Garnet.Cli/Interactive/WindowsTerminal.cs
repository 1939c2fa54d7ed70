// The console of Windows. One thread.
using System.Runtime.InteropServices;
using System.Text;
using Garnet.Cli.Output;

namespace Garnet.Cli.Interactive;

/// <summary>Reads keys with the runtime's console, and has escape sequences obeyed in what is written.</summary>
/// <param name="output">Standard output.</param>
internal sealed class WindowsTerminal(IOutput output) : ITerminal
{
    private const int PollMs = 50;
    private const int OutputHandle = -11;
    private const uint ProcessesSequences = 4; // ENABLE_VIRTUAL_TERMINAL_PROCESSING
    private const uint Utf8 = 65001;

    /// <inheritdoc/>
    public int Columns => Math.Max(Console.WindowWidth, 1);

    /// <inheritdoc/>
    public bool HasColors { get; } = string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR"));

    /// <inheritdoc/>
    public void EnterRawMode()
    {
        Console.TreatControlCAsInput = true;
        SetConsoleOutputCP(Utf8);
        nint handle = GetStdHandle(OutputHandle);
        if (GetConsoleMode(handle, out uint mode))
            SetConsoleMode(handle, mode | ProcessesSequences);
    }

    /// <inheritdoc/>
    public void LeaveRawMode() => Console.TreatControlCAsInput = false;

    /// <inheritdoc/>
    public KeyPress ReadKey()
    {
        ConsoleKeyInfo key = Console.ReadKey(intercept: true);
        bool isWord = (key.Modifiers & (ConsoleModifiers.Control | ConsoleModifiers.Alt)) != 0;
        EditKey known = key.Key switch
        {
            ConsoleKey.Enter => EditKey.Enter,
            ConsoleKey.Tab => (key.Modifiers & ConsoleModifiers.Shift) != 0 ? EditKey.BackTab : EditKey.Tab,
            ConsoleKey.Backspace => isWord ? EditKey.DeleteWordLeft : EditKey.Backspace,
            ConsoleKey.Delete => isWord ? EditKey.DeleteWordRight : EditKey.Delete,
            ConsoleKey.LeftArrow => isWord ? EditKey.WordLeft : EditKey.Left,
            ConsoleKey.RightArrow => isWord ? EditKey.WordRight : EditKey.Right,
            ConsoleKey.UpArrow => EditKey.Up,
            ConsoleKey.DownArrow => EditKey.Down,
            ConsoleKey.Home => EditKey.Home,
            ConsoleKey.End => EditKey.End,
            ConsoleKey.Escape => EditKey.Cancel,
            _ => EditKey.None,
        };
        if (known != EditKey.None)
            return new KeyPress(known);
        // Ctrl and a letter, as a terminal sends it.
        if (key.KeyChar is > '\0' and < ' ')
            return new KeyDecoder(Once(key.KeyChar)).Read();
        return key.KeyChar == '\0' ? new KeyPress(EditKey.None) : new KeyPress(EditKey.Text, WithLowSurrogate(key.KeyChar));
    }

    /// <inheritdoc/>
    public bool WaitForKey(CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            if (Console.KeyAvailable)
                return true;
            Thread.Sleep(PollMs);
        }

        return false;
    }

    /// <inheritdoc/>
    public void Write(string text) => output.Write(Encoding.UTF8.GetBytes(text));

    /// <summary>There is no Ctrl+Z here.</summary>
    public void Suspend() { }

    private static Func<bool, int> Once(char value)
    {
        int next = value;
        return _ =>
        {
            int taken = next;
            next = -1;
            return taken;
        };
    }

    // Characters beyond the first 65,536 come as two keys.
    private static string WithLowSurrogate(char value) =>
        char.IsHighSurrogate(value) ? $"{value}{Console.ReadKey(intercept: true).KeyChar}" : value.ToString();

    [DllImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static extern nint GetStdHandle(int handle);

    [DllImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static extern bool GetConsoleMode(nint handle, out uint mode);

    [DllImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static extern bool SetConsoleMode(nint handle, uint mode);

    [DllImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static extern bool SetConsoleOutputCP(uint page);
}
