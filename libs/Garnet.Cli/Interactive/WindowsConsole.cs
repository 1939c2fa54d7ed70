// The console of the process on Windows. One thread.
using System.Runtime.InteropServices;

namespace Garnet.Cli.Interactive;

/// <summary>The runtime's console, and the system's calls for what the runtime does not offer.</summary>
internal sealed class WindowsConsole : IWindowsConsole
{
    private const int OutputHandle = -11; // STD_OUTPUT_HANDLE
    private const int ErrorHandle = -12; // STD_ERROR_HANDLE

    /// <inheritdoc/>
    public int Columns => Console.IsOutputRedirected ? 0 : Console.WindowWidth;

    /// <inheritdoc/>
    public bool HasKey => Console.KeyAvailable;

    /// <inheritdoc/>
    public bool TakesControlCAsKey
    {
        set => Console.TreatControlCAsInput = value;
    }

    /// <inheritdoc/>
    public uint? OutputMode => GetConsoleMode(Handle, out uint mode) ? mode : null;

    /// <inheritdoc/>
    public uint OutputPage
    {
        get => GetConsoleOutputCP();
        set => SetConsoleOutputCP(value);
    }

    // Both show on the same screen, and either may go to a file.
    private static nint Handle =>
        GetStdHandle(OutputHandle) is var output && GetConsoleMode(output, out _) ? output : GetStdHandle(ErrorHandle);

    /// <inheritdoc/>
    public ConsoleKeyInfo ReadKey() => Console.ReadKey(intercept: true);

    /// <inheritdoc/>
    public void SetOutputMode(uint mode) => SetConsoleMode(Handle, mode);

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
    private static extern uint GetConsoleOutputCP();

    [DllImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static extern bool SetConsoleOutputCP(uint page);
}
