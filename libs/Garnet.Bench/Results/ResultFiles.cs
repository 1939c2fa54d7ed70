// The files that receive results. One owner, which disposes of them.
using System.Text;
using Garnet.Bench.Options;

namespace Garnet.Bench.Results;

/// <summary>
/// Opened before the measurement, which would be in vain if they could not be; what an older one holds is replaced only by a result.
/// </summary>
internal sealed class ResultFiles : IDisposable
{
    private readonly OutputOptions _options;
    private readonly List<FileStream> _new = []; // of this run: without a result they are removed
    private FileStream? _text;
    private FileStream? _json;

    private ResultFiles(OutputOptions options) => _options = options;

    /// <summary>Opens the files of some options.</summary>
    /// <exception cref="BenchException">One cannot be written.</exception>
    public static ResultFiles Open(OutputOptions options)
    {
        var files = new ResultFiles(options);
        try
        {
            files._text = files.Open("-o", options.File);
            files._json = files.Open("--json-out-file", options.JsonFile);
            if (options.HistogramPrefix is { } prefix)
                Probe(prefix);
            return files;
        }
        catch
        {
            files.Dispose();
            throw;
        }
    }

    /// <summary>Writes a result into the files, or its text to the output where no file is for it.</summary>
    public async Task WriteAsync(BenchReport report, TextWriter output)
    {
        _new.Clear();
        if (_text is not null)
            Write(_text, report.Text());
        else
            await output.WriteAsync(report.Text()).ConfigureAwait(false);
        if (_json is not null)
            Write(_json, JsonReport.Write(report));
        if (_options.HistogramPrefix is { } prefix)
            HistogramFiles.Write(prefix, report);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _text?.Dispose();
        _json?.Dispose();
        foreach (FileStream file in _new)
            File.Delete(file.Name);
    }

    private FileStream? Open(string option, string? path)
    {
        if (path is null)
            return null;
        try
        {
            bool isNew = !File.Exists(path);
            var file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.Write, FileShare.Read);
            if (isNew)
                _new.Add(file);
            return file;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw Unusable(option, path, e);
        }
    }

    // The names of the files are known at the end; whether they can be made is known from one.
    private static void Probe(string prefix)
    {
        try
        {
            string path = prefix + Path.GetRandomFileName();
            File.Create(path).Dispose();
            File.Delete(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw Unusable("--hdr-file-prefix", prefix, e);
        }
    }

    private static BenchException Unusable(string option, string path, Exception cause) =>
        new($"{option} '{path}' cannot be written: {cause.Message}", cause);

    // A device or a pipe has no length to cut.
    private static void Write(FileStream file, string text)
    {
        if (file.CanSeek && file.Length > 0)
            file.SetLength(0);
        file.Write(Encoding.UTF8.GetBytes(text));
        file.Flush();
    }
}
