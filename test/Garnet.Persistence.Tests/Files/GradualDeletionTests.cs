// Large files that are deleted in steps, in a folder of their own.
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Xunit;

namespace Garnet.Persistence.Tests.Files;

public sealed class GradualDeletionTests : IDisposable
{
    private const long Bytes = GradualDeletion.LeastBytes + (20 << 20);
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-deletion-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(Bytes, false)]
    [InlineData(Bytes, true)]
    [InlineData(1, false)]
    public void The_file_and_its_temporary_name_are_gone(long bytes, bool isHurried)
    {
        int asked = 0;
        GradualDeletion.Delete(
            Create("file", bytes),
            () =>
            {
                asked++;
                return isHurried;
            }
        );
        Assert.Empty(Directory.EnumerateFiles(_folder));
        Assert.Equal(OperatingSystem.IsLinux() && bytes > GradualDeletion.LeastBytes, asked > 0);
        GradualDeletion.Delete(Path.Combine(_folder, "missing"), static () => false);
    }

    [Fact]
    public void Content_with_another_name_stays_whole()
    {
        if (!OperatingSystem.IsLinux())
            return;
        string file = Create("file", Bytes);
        string other = Path.Combine(_folder, "other");
        Assert.Equal(0, FileCalls.Link(file, other));
        GradualDeletion.Delete(file, static () => false);
        Assert.Equal([other], Directory.EnumerateFiles(_folder));
        Assert.Equal(Bytes, new FileInfo(other).Length);
    }

    [Fact]
    public void A_link_is_deleted_and_not_what_it_refers_to()
    {
        if (!OperatingSystem.IsLinux())
            return;
        string file = Create("file", Bytes);
        string link = Path.Combine(_folder, "link");
        File.CreateSymbolicLink(link, file);
        GradualDeletion.Delete(link, static () => false);
        Assert.Equal([file], Directory.EnumerateFiles(_folder));
        Assert.Equal(Bytes, new FileInfo(file).Length);
    }

    [Fact]
    public void A_file_that_is_replaced_keeps_a_name_until_it_is_deleted()
    {
        if (!OperatingSystem.IsLinux())
            return;
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
