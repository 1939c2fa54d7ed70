// Large files that are deleted in steps, in a folder of their own.
using System.Runtime.Versioning;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Testing;
using Xunit;

namespace Garnet.Persistence.Tests.Files;

public sealed class GradualDeletionTests : IDisposable
{
    private const long Bytes = GradualDeletion.LeastBytes + (20 << 20);
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-deletion-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(Bytes, false, 7)]
    [InlineData(Bytes, true, 1)]
    [InlineData(1, false, 0)]
    public void A_large_file_becomes_shorter_under_a_temporary_name(long bytes, bool isHurried, int steps)
    {
        List<long> lengths = [];
        GradualDeletion.Delete(
            Create("file", bytes),
            () =>
            {
                string name = Assert.Single(Directory.EnumerateFiles(_folder));
                Assert.EndsWith(".tmp", name, StringComparison.Ordinal);
                lengths.Add(new FileInfo(name).Length);
                return isHurried;
            }
        );
        Assert.Empty(Directory.EnumerateFiles(_folder));
        GradualDeletion.Delete(Path.Combine(_folder, "missing"), static () => false);
        if (!OperatingSystem.IsLinux())
            return;
        Assert.Equal(steps, lengths.Count);
        Assert.Equal(lengths.Order().Reverse().Distinct(), lengths);
    }

    [LinuxFact]
    public void Who_is_reading_the_file_reads_all_of_it()
    {
        using FileStream reader = new(Create("file", Bytes), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        GradualDeletion.Delete(reader.Name, static () => false);
        Assert.Empty(Directory.EnumerateFiles(_folder));
        Assert.Equal(Bytes, reader.Length);
    }

    [LinuxFact]
    [SupportedOSPlatform("linux")]
    public void A_file_that_may_not_be_written_is_deleted()
    {
        string file = Create("file", Bytes);
        File.SetUnixFileMode(file, UnixFileMode.UserRead);
        GradualDeletion.Delete(file, static () => false);
        Assert.Empty(Directory.EnumerateFiles(_folder));
    }

    [LinuxFact]
    public void Content_with_another_name_stays_whole()
    {
        string file = Create("file", Bytes);
        string other = Path.Combine(_folder, "other");
        string symbolic = Path.Combine(_folder, "symbolic");
        Assert.Equal(0, FileCalls.Link(file, other));
        File.CreateSymbolicLink(symbolic, other);
        GradualDeletion.Delete(file, static () => false);
        GradualDeletion.Delete(symbolic, static () => false);
        Assert.Equal([other], Directory.EnumerateFiles(_folder));
        Assert.Equal(Bytes, new FileInfo(other).Length);
    }

    [LinuxFact]
    public void A_file_that_is_replaced_keeps_a_name_until_it_is_deleted()
    {
        SystemDisk disk = SystemDisk.Instance;
        string file = Create("dump.rdb", Bytes);
        string? aside = disk.SetAside(file);
        Assert.NotNull(aside);
        disk.Rename(Create("new", 5), file);
        Assert.Equal(Bytes, new FileInfo(aside).Length);
        disk.DeleteGradually(aside, static () => false);
        Assert.Equal([file], Directory.EnumerateFiles(_folder));
        Assert.Equal(5, new FileInfo(file).Length);
        Assert.Null(disk.SetAside(file));

        // What a killed process leaves is found by its name.
        File.Move(file, aside);
        Assert.Equal(1, disk.DeleteLeftovers(file));
    }

    private string Create(string name, long bytes)
    {
        string path = Path.Combine(_folder, name);
        using FileStream file = File.Create(path);
        file.SetLength(bytes);
        return path;
    }
}
