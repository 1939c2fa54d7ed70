// The lines typed before, on disk between sessions. One thread.
using System.Text;

namespace Garnet.Cli.Interactive;

/// <summary>
/// Keeps the newest lines. Each accepted line is appended to the file at once, so that several sessions add to one file; it is readable for
/// its owner only. Lines with passwords are kept in memory alone.
/// </summary>
internal sealed class History
{
    private const int MaxLines = 1000;
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private readonly string? _path;
    private readonly List<string> _lines = [];

    /// <summary>Reads the file, if there is one.</summary>
    /// <param name="path">The file; null for a history in memory alone.</param>
    public History(string? path)
    {
        _path = path;
        if (Directory.Exists(path))
            Problem = $"{path} is a folder";
        if (path is null || !File.Exists(path))
            return;
        try
        {
            foreach (string line in File.ReadLines(path))
                Remember(Decode(line));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Problem = $"{path}: {e.Message}";
        }

        ShortenFile();
    }

    /// <summary>The lines, oldest first.</summary>
    public IReadOnlyList<string> Lines => _lines;

    /// <summary>Why the file cannot be used, or null.</summary>
    public string? Problem { get; private set; }

    /// <summary>The file that the environment names, or .garnetcli_history in the user's folder; null for none.</summary>
    public static string? DefaultPath(Func<string, string?> variables)
    {
        string? named = variables("GARNETCLI_HISTFILE") ?? variables("REDISCLI_HISTFILE");
        if (!string.IsNullOrEmpty(named))
            return named == "/dev/null" ? null : named;
        string home = Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);
        return home.Length == 0 ? null : Path.Combine(home, ".garnetcli_history");
    }

    /// <summary>Adds a line.</summary>
    /// <param name="line">May have several lines.</param>
    /// <param name="isSecret">Whether it must not reach the disk.</param>
    public void Add(string line, bool isSecret)
    {
        if (!Remember(line) || isSecret || _path is null || Problem is not null)
            return;
        try
        {
            using FileStream file = OpenFile(_path, FileMode.Append);
            file.Write(Encoding.UTF8.GetBytes(Encode(line) + "\n"));
            Protect(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Problem = $"{_path}: {e.Message}";
        }
    }

    private bool Remember(string line)
    {
        if (line.Length == 0 || (_lines.Count > 0 && _lines[^1] == line))
            return false;
        _lines.Add(line);
        if (_lines.Count > MaxLines)
            _lines.RemoveAt(0);
        return true;
    }

    // At the start, when the file has grown to twice what is kept.
    private void ShortenFile()
    {
        if (Problem is not null || _lines.Count < MaxLines)
            return;
        try
        {
            if (File.ReadLines(_path!).Count() < 2 * MaxLines)
                return;
            string shorter = _path + ".new";
            using (FileStream file = OpenFile(shorter, FileMode.Create))
                file.Write(Encoding.UTF8.GetBytes(string.Concat(_lines.Select(static line => Encode(line) + "\n"))));
            File.Move(shorter, _path!, overwrite: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Problem = $"{_path}: {e.Message}";
        }
    }

    // The file may have been there before, readable for all. A device has no length, and keeps its mode.
    private static void Protect(FileStream file)
    {
        if (!OperatingSystem.IsWindows() && file.Length > 0 && File.GetUnixFileMode(file.SafeFileHandle) != OwnerOnly)
            File.SetUnixFileMode(file.SafeFileHandle, OwnerOnly);
    }

    private static FileStream OpenFile(string path, FileMode mode)
    {
        var options = new FileStreamOptions
        {
            Mode = mode,
            Access = FileAccess.Write,
            Share = FileShare.ReadWrite,
        };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = OwnerOnly;
        return new FileStream(path, options);
    }

    // A line of the file is a line of the history.
    private static string Encode(string line) =>
        line.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\n", "\\n", StringComparison.Ordinal);

    private static string Decode(string line)
    {
        if (!line.Contains('\\', StringComparison.Ordinal))
            return line;
        var text = new StringBuilder();
        for (int i = 0; i < line.Length; i++)
        {
            if (line[i] == '\\' && i + 1 < line.Length)
                text.Append(line[++i] == 'n' ? '\n' : line[i]);
            else
                text.Append(line[i]);
        }

        return text.ToString();
    }
}
