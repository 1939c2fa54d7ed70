// Where the stream of effects was when its log was closed. Immutable; read and written by the owner of the log.
using System.Globalization;
using System.Text;
using Garnet.Persistence.AppendLog;
using Garnet.Server.Effects;

namespace Garnet.Server.Persistence;

/// <summary>
/// A small file beside the log, written when the log is closed in order and taken away at the next start: if the log still ends where it
/// ended then, replicas may continue. After a crash there is none, because replicas may have received what the log has lost.
/// </summary>
/// <param name="Id">The history.</param>
/// <param name="Position">Position in the stream.</param>
/// <param name="Database">The database selected there.</param>
/// <param name="LogEnd">Position in the log.</param>
internal sealed record StreamMark(string Id, long Position, int Database, long LogEnd)
{
    private const string Title = "garnet-stream-mark 1";
    private const string NameEnding = ".garnet.stream";
    private const int MaxBytes = 1024;

    /// <summary>Reads and deletes the file; null when there is none, or it says nothing that can be used.</summary>
    /// <exception cref="IOException">It cannot be read or deleted.</exception>
    public static StreamMark? Take(ILogFolder folder, string prefix)
    {
        string name = prefix + NameEnding;
        if (!folder.List().Contains(name))
            return null;
        byte[] bytes = [];
        int length = folder.Length(name) <= MaxBytes ? folder.Read(name, ref bytes) : 0;
        folder.Delete(name);
        return Parse(Encoding.ASCII.GetString(bytes, 0, length));
    }

    /// <summary>Writes the file.</summary>
    /// <exception cref="IOException">The operation failed.</exception>
    public void Save(ILogFolder folder, string prefix)
    {
        string aside = prefix + NameEnding + ".tmp";
        folder.Write(aside, Encoding.ASCII.GetBytes(Format()));
        folder.Rename(aside, prefix + NameEnding);
    }

    /// <summary>The file's text.</summary>
    public string Format() => string.Create(CultureInfo.InvariantCulture, $"{Title}\n{Id} {Position} {Database} {LogEnd}\n");

    /// <summary>Parses a file's text; null when it is not complete.</summary>
    public static StreamMark? Parse(string text)
    {
        if (text.Split('\n') is not [Title, var line, ""])
            return null;
        string[] words = line.Split(' ');
        return
            words.Length == 4
            && words[0].Length == ReplicationHistory.IdLength
            && long.TryParse(words[1], NumberStyles.None, CultureInfo.InvariantCulture, out long position)
            && int.TryParse(words[2], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int database)
            && long.TryParse(words[3], NumberStyles.None, CultureInfo.InvariantCulture, out long logEnd)
            ? new StreamMark(words[0], position, database, logEnd)
            : null;
    }
}
