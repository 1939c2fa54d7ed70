// What is left of a snapshot when the disk breaks at each step of saving it. Each test has a store and a disk of its own.
using Garnet.Persistence.Snapshots;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Persistence.Tests.Snapshots;

public sealed class SaveFaultTests(ITestOutputHelper output)
{
    [Fact]
    public void The_steps_of_a_save_are_these_in_this_order()
    {
        using var scene = new SaverScene();
        Assert.Equal(SaveResult.Success, scene.Save().Result);
        string[] steps = [.. scene.Disk.Steps.Where((step, i) => i == 0 || scene.Disk.Steps[i - 1] != step)];
        Assert.Equal(["create", "write", "set-length", "sync", "rename", "sync-folder"], steps);
    }

    [Fact]
    public void A_loss_of_power_at_any_step_leaves_the_old_or_the_new_snapshot_whole()
    {
        int steps = StepsOfOneSave();
        for (int step = 0; step <= steps; step++)
        {
            using var scene = new SaverScene();
            scene.Save();
            Dictionary<string, string> old = new(scene.Model);
            scene.Fill("second");
            Dictionary<string, string> young = new(scene.Model);
            scene.Disk.PowerLossAt = scene.Disk.Steps.Count + step;
            SaveOutcome outcome = scene.Save(writesMeanwhile: step % 2 == 0);
            Assert.Equal(step == steps ? SaveResult.Success : SaveResult.Failed, outcome.Result);
            byte[] found = scene.Disk.Restart().Read(SaverScene.File)!;
            Assert.Equal(outcome.Result == SaveResult.Success ? young : old, SaverScene.Load(found));
        }
    }

    [Fact]
    public void An_error_at_any_step_is_told_keeps_the_old_snapshot_and_does_not_spoil_the_next()
    {
        int steps = StepsOfOneSave();
        for (int step = 0; step < steps; step++)
        {
            using var scene = new SaverScene();
            scene.Save();
            Dictionary<string, string> old = new(scene.Model);
            scene.Fill("second");
            int failing = scene.Disk.Steps.Count + step;
            string? name = null;
            scene.Disk.Fail = (number, at) =>
            {
                if (number != failing)
                    return null;
                name = at;
                return new IOException("Input/output error");
            };
            Dictionary<string, string> atFlip = new(scene.Model);
            SaveOutcome failed = scene.Save(writesMeanwhile: true);
            Assert.Equal(SaveResult.Failed, failed.Result);
            Assert.Contains("Input/output error", failed.Error, StringComparison.Ordinal);

            // Only when the folder could not be synced has the new one its name already; it is whole, but not promised.
            Assert.Equal(name == "sync-folder" ? atFlip : old, SaverScene.Load(scene.Disk.Read(SaverScene.File)!));
            Assert.Equal([SaverScene.File], scene.Disk.Files);
            Assert.False(scene.Store.IsSnapshotActive);
            Assert.Equal(SaveResult.Success, scene.Save().Result);
            Assert.Equal(scene.Model, SaverScene.Load(scene.Disk.Restart().Read(SaverScene.File)!));
        }
    }

    [Fact]
    public void A_full_disk_fails_the_save_until_there_is_room()
    {
        using var scene = new SaverScene();
        int writes = 0;
        scene.Disk.Fail = (_, step) => step == "write" && ++writes > 1 ? new IOException("No space left on device") : null;
        SaveOutcome failed = scene.Save();
        Assert.Equal(SaveResult.Failed, failed.Result);
        Assert.Contains("No space left on device", failed.Error, StringComparison.Ordinal);
        Assert.Empty(scene.Disk.Files);
        scene.Disk.Fail = null;
        Assert.Equal(SaveResult.Success, scene.Save().Result);
        Assert.Equal(scene.Model, SaverScene.Load(scene.Disk.Read(SaverScene.File)!));
    }

    [Theory]
    [InlineData(1, 70_001)]
    [InlineData(4096, 70_001)]
    [InlineData(512, 5000)]
    public void Short_writes_give_a_file_as_long_and_as_whole(int alignment, int mostPerWrite)
    {
        using var scene = new SaverScene();
        scene.Save();
        int length = scene.Disk.Read(SaverScene.File)!.Length;
        scene.Disk.Alignment = alignment;
        scene.Disk.MaxPerWrite = mostPerWrite;
        Assert.Equal(SaveResult.Success, scene.Save().Result);

        // The order of keys is that of time slices; the checksum holds them together.
        byte[] file = scene.Disk.Read(SaverScene.File)!;
        Assert.Equal(length, file.Length);
        Assert.Equal(scene.Model, SaverScene.Load(file));
    }

    [Fact]
    public void A_device_that_takes_nothing_fails_the_save_instead_of_holding_it_for_ever()
    {
        using var scene = new SaverScene();
        scene.Disk.Alignment = 4096;
        scene.Disk.MaxPerWrite = 100;
        Assert.Equal(SaveResult.Failed, scene.Save().Result);
    }

    [Fact]
    public void A_cancelled_save_leaves_the_old_snapshot_and_the_next_is_exact()
    {
        using var scene = new SaverScene();
        scene.Save();
        Dictionary<string, string> old = new(scene.Model);
        scene.Fill("second");
        scene.Disk.Fail = (_, step) =>
        {
            if (step == "write")
                scene.Saver.Cancel();
            return null;
        };
        Assert.Equal(SaveResult.Cancelled, scene.Save(writesMeanwhile: true).Result);
        Assert.Equal(old, SaverScene.Load(scene.Disk.Read(SaverScene.File)!));
        Assert.Equal([SaverScene.File], scene.Disk.Files);
        scene.Disk.Fail = null;
        Assert.Equal(SaveResult.Success, scene.Save().Result);
        Assert.Equal(scene.Model, SaverScene.Load(scene.Disk.Read(SaverScene.File)!));
    }

    [Fact]
    public void Any_flipped_bit_of_a_snapshot_is_noticed()
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var scene = new SaverScene();
        scene.Save();
        byte[] file = scene.Disk.Read(SaverScene.File)!;
        for (int i = 0; i < FaultScale.Count(60, 10_000); i++)
        {
            int bit = random.Next(file.Length * 8);
            byte[] damaged = [.. file];
            damaged[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.True(Record.Exception(() => SaverScene.Load(damaged)) is not null, $"seed {seed}: bit {bit} was not noticed");
        }
    }

    private static int StepsOfOneSave()
    {
        using var scene = new SaverScene();
        scene.Save();
        return scene.Disk.Steps.Count;
    }
}
